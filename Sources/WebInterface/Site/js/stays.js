import { DOUBTFUL } from './house.js';

/** Seconds below which a visit may be a flicker, and below which it is none at all. */
const BRIEF = 30;
const TRIFLE = 1;
/** Seconds between two visits that count as none. */
const APART = 5;

/**
 * The visits of an item as stays that people can read: `{kind, rooms, room, from, to, confidence}`. A brief visit elsewhere
 * is part of the stay around it. Brief visits back and forth are one stay of the kind `moving`; a stay that is not sure, and
 * such stays one after another, are of the kind `unsure`. All others are of the kind `stay`, and have one room. `rooms` has
 * the longest first, `room` is that one, and `confidence` is the average. `visits` stay as they are.
 */
export function staysFrom(visits, now) {
  return unsureAsOne(restlessAsOne(absorbed(visits, now))).map(finished);
}

function partOf(visit, now) {
  const end = visit.to ?? now;
  const seconds = Math.max(0, end - visit.from);
  return { from: visit.from, to: visit.to, end, seconds, sure: (visit.confidence ?? 1) * seconds, latest: visit.confidence, shares: new Map([[visit.room, seconds]]) };
}

function merged(parts) {
  const shares = new Map();
  for (const part of parts) for (const [room, seconds] of part.shares) shares.set(room, (shares.get(room) ?? 0) + seconds);
  const sum = (name) => parts.reduce((all, part) => all + part[name], 0);
  const last = parts.at(-1);
  return { from: parts[0].from, to: last.to, end: last.end, seconds: sum('seconds'), sure: sum('sure'), latest: last.latest, shares };
}

const mainRoom = (part) => [...part.shares].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
const isBrief = (part) => part.end - part.from < BRIEF && !part.shares.has('away');
const isNext = (one, other) => other.from - one.end < APART;
const confidenceOf = (part) => (part.latest === undefined ? undefined : part.seconds > 0 ? part.sure / part.seconds : part.latest);
const isUnsure = (part) => !part.shares.has('away') && confidenceOf(part) < DOUBTFUL;

/** Joins a brief visit and the two beside it where those are in one room, which at least one of them shows for longer. */
function absorbed(visits, now) {
  const found = [];
  for (const visit of visits) {
    const part = partOf(visit, now);
    if (found.length && part.seconds < TRIFLE && visit.to !== undefined && isNext(found.at(-1), part)) {
      Object.assign(found.at(-1), { to: part.to, end: part.end });
      continue;
    }
    const before = found.at(-1);
    if (before && isNext(before, part) && mainRoom(before) === visit.room) found.splice(-1, 1, surrounding([before, part]));
    else found.push(part);
    while (found.length > 2 && isInterrupted(found.slice(-3))) found.splice(-3, 3, surrounding(found.slice(-3)));
  }
  return found;
}

function isInterrupted([before, middle, after]) {
  return isNext(before, middle) && isNext(middle, after) && mainRoom(before) === mainRoom(after) && isBrief(middle) && !(isBrief(before) && isBrief(after));
}

/** A stay in the room of its first part, whatever was in between. */
function surrounding(parts) {
  const whole = merged(parts);
  return { ...whole, shares: new Map([[mainRoom(parts[0]), whole.seconds]]) };
}

function runs(parts, belongs) {
  const found = [];
  for (const part of parts) {
    const run = found.at(-1);
    if (run && belongs(part) && belongs(run.at(-1)) && isNext(run.at(-1), part)) run.push(part);
    else found.push([part]);
  }
  return found;
}

/** Joins brief visits in which a room is left and come back to. */
function restlessAsOne(parts) {
  return runs(parts, isBrief).flatMap((run) => (new Set(run.map(mainRoom)).size < run.length ? [merged(run)] : run));
}

function unsureAsOne(parts) {
  return runs(parts, isUnsure).map((run) => (run.length > 1 ? merged(run) : run[0]));
}

function finished(part) {
  const rooms = [...part.shares].sort((a, b) => b[1] - a[1]).map(([room]) => room);
  const confidence = confidenceOf(part);
  const kind = isUnsure(part) ? 'unsure' : rooms.length > 1 ? 'moving' : 'stay';
  return { kind, rooms, room: rooms[0], from: part.from, to: part.to, confidence };
}
