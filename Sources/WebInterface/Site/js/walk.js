/** The road of a teaching walk. */

/** Seconds of lessons that a room should have at least. */
const ENOUGH = 60;

/**
 * The room to teach next: an untaught one next to `current`, else any untaught one, else the one with the least
 * seconds. `rooms` are entries `{id, seconds, next_to}`; null where all have enough.
 */
export function nextRoom(rooms, current) {
  const open = rooms.filter((room) => room.id !== current && (room.seconds < ENOUGH || room.teach_again));
  if (!open.length) return null;
  const here = rooms.find((room) => room.id === current);
  const isNeighbour = (room) => Boolean(here?.next_to?.includes(room.id) || room.next_to?.includes(current));
  const order = (room) => (isNeighbour(room) ? 0 : 1e6) + room.seconds;
  return open.reduce((best, room) => (order(room) < order(best) ? room : best)).id;
}

/**
 * A judgement of what was learned about a room: `{kind, values}`, the name of a text with its values.
 * `right` is the share of seconds decided right.
 */
export function judge(room) {
  if (room.teach_again) return { kind: 'again', values: {} };
  if (!room.seconds) return { kind: 'untaught', values: {} };
  if (room.right === undefined) return { kind: 'unmeasured', values: {} };
  if (room.right >= 0.85) return { kind: 'good', values: {} };
  if (room.seconds < 3 * ENOUGH) return { kind: 'longer', values: { room: room.taken_for ?? '' } };
  return { kind: 'alike', values: { room: room.taken_for ?? '' } };
}

/** Decibels by which another room's node must be louder before a lesson is doubted. */
const DOUBTFUL = 6;

/**
 * The room whose node heard a lesson louder than the taught room's own, by so much that it may have been given elsewhere;
 * null where nothing speaks against it. `levels` are entries `{room, level}`, one for each node.
 */
export function doubtfulRoom(levels, taught) {
  const loudest = (list) => list.reduce((best, entry) => (!best || entry.level > best.level ? entry : best), null);
  const own = loudest(levels.filter((entry) => entry.room === taught));
  const other = loudest(levels.filter((entry) => entry.room && entry.room !== taught));
  return own && other && other.level - own.level >= DOUBTFUL ? other.room : null;
}

/** Levels as shares from 0 to 1: −100 dBm and less is 0, −40 dBm and more is 1. */
export function loudness(level) {
  return Math.max(0, Math.min(1, (level + 100) / 60));
}
