/** Arithmetic of the time axis. Times are Unix seconds. A span is `{from, to}`. */

/** Shortest and longest span that can be shown, in seconds. */
export const SHORTEST = 120;
export const LONGEST = 7 * 86_400;

const STEPS = [60, 300, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86_400, 2 * 86_400];
const LEAST_PIXELS = 72;

/** The marks of an axis of `width` pixels, at round local times: `{at, day}`; `day` says that a day begins there. */
export function ticks({ from, to }, width) {
  const step = STEPS.find((candidate) => (candidate / (to - from)) * width >= LEAST_PIXELS) ?? STEPS.at(-1);
  const marks = [];
  const midnight = new Date(from * 1000);
  midnight.setHours(0, 0, 0, 0);
  for (let day = midnight; day.getTime() / 1000 <= to; day = nextDay(day, step)) {
    const begin = day.getTime() / 1000;
    const end = nextDay(day, step).getTime() / 1000;
    for (let at = begin; at < Math.min(end, to + 1); at += step) if (at >= from) marks.push({ at, day: at === begin });
  }
  return marks;
}

function nextDay(day, step) {
  const next = new Date(day);
  next.setDate(next.getDate() + Math.max(1, Math.round(step / 86_400)));
  return next;
}

/** A span made longer or shorter by `factor`, in which the moment `at` stays where it is, and which ends by `latest`. */
export function zoom({ from, to }, factor, at, latest) {
  const length = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * factor));
  const share = (at - from) / (to - from);
  return within({ from: at - share * length, to: at + (1 - share) * length }, latest);
}

/** A span moved by so many seconds, which ends by `latest`. */
export function pan({ from, to }, seconds, latest) {
  return within({ from: from + seconds, to: to + seconds }, latest);
}

function within({ from, to }, latest) {
  const over = Math.max(0, to - latest);
  return { from: from - over, to: to - over };
}

/** The parts of a span up to `now` of which no visit tells, as spans of `least` seconds or more: nothing was recorded then. */
export function gaps(visits, { from, to }, now, least) {
  const found = [];
  let known = from;
  for (const visit of [...visits, { from: Math.min(to, now) }]) {
    if (Math.min(visit.from, to) - known >= least) found.push({ from: known, to: Math.min(visit.from, to) });
    known = Math.max(known, visit.to ?? now);
  }
  return found;
}

/**
 * Visits as pieces of a lane: `{room, tone, from, to, confidence, lasting, many, kind, rooms}`, cut to the span. Neighbours that are each
 * shorter than `least` seconds become one piece with the number of them in `many`.
 */
export function pieces(visits, { from, to }, now, least) {
  const found = [];
  for (const visit of visits) {
    const end = visit.to ?? now;
    if (end < from || visit.from > to) continue;
    const piece = { room: visit.room, tone: visit.tone, from: Math.max(from, visit.from), to: Math.min(to, end), confidence: visit.confidence, lasting: visit.to === undefined, many: 1, kind: visit.kind, rooms: visit.rooms };
    const last = found.at(-1);
    const short = end - visit.from < least;
    if (short && last?.short && !visit.tone && piece.from - last.to < least) {
      last.to = piece.to;
      last.many += 1;
      last.lasting = piece.lasting;
    } else found.push({ ...piece, short });
  }
  return found.map(({ short, ...piece }) => piece);
}
