/** Seconds below which a walk is short. */
const SHORT = 60;

/** The stays of a walk `{from, to}`, made of an item's marks `{t, room}`: visits as a lane shows them. */
export function staysOf(marks, walk) {
  const stays = [];
  marks.forEach(({ t, room }, index) => {
    if (room === null || t < walk.from || t >= walk.to) return;
    const to = Math.min(walk.to, marks[index + 1]?.t ?? walk.to);
    const last = stays.at(-1);
    if (last?.room === room && last.to === t) last.to = to;
    else stays.push({ room, from: t, to });
  });
  return stays;
}

/** The room that was longest taken for another: `{room, taken, seconds}`; null where none was, for 5 s at least. */
export function worstPair(stays, visits, now) {
  const seconds = new Map();
  for (const stay of stays) {
    for (const visit of visits) {
      if (visit.room === stay.room) continue;
      const both = Math.min(stay.to, visit.to ?? now) - Math.max(stay.from, visit.from);
      if (both <= 0) continue;
      const pair = JSON.stringify([stay.room, visit.room]);
      seconds.set(pair, (seconds.get(pair) ?? 0) + both);
    }
  }
  const [pair, longest] = [...seconds].sort((a, b) => b[1] - a[1])[0] ?? [null, 0];
  if (longest < 5) return null;
  const [room, taken] = JSON.parse(pair);
  return { room, taken, seconds: longest };
}

/** The stays of a walk cut where the answer changed: visits whose `tone` is `right` or `wrong`; none where nothing was answered. */
export function verdictsOf(stays, visits, now) {
  const found = [];
  for (const stay of stays) {
    for (const visit of visits) {
      const [from, to] = [Math.max(stay.from, visit.from), Math.min(stay.to, visit.to ?? now)];
      if (from >= to) continue;
      const tone = visit.room === stay.room ? 'right' : 'wrong';
      const last = found.at(-1);
      if (last?.tone === tone && last.to === from) last.to = to;
      else found.push({ room: visit.room, tone, from, to });
    }
  }
  return found;
}

/** True where a walk was too short for its figures to be more than a beginning. */
export function isShort(score) {
  return score.seconds < SHORT;
}

/** The name of a text that says what to do about a score. */
export function adviceFor(score) {
  if (isShort(score)) return 'short';
  if ((score.settled ?? score.accuracy) < 0.85) return 'teach';
  if (score.flaps > score.seconds / 120) return 'flaps';
  if (score.lag_p50 > 10) return 'slow';
  return 'good';
}
