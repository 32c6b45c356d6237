/** Decibels by which the tag that is held to a node is louder than any other. */
const CLEARLY = 10;

/** Levels as shares from 0 to 1: −100 dBm and less is 0, −30 dBm and more is 1. */
export function nearness(level) {
  return Math.max(0, Math.min(1, (level + 100) / 70));
}

/** Tells whether the first of beacons, which are in the order of their levels, is clearly the one that is held to the node. */
export function isClear(beacons) {
  if (!beacons.length || beacons[0].level < -65) return false;
  return beacons.length === 1 || beacons[0].level - beacons[1].level >= CLEARLY;
}

/** The entry of a registry that a beacon would have: its identity, and its name where it tells one. */
export function entryOf(beacon) {
  const { id, v, at, ...identity } = beacon.entry;
  return beacon.name ? { ...identity, name: beacon.name } : identity;
}

let found = null;

/** Keeps the entry of a tag that was found, until the form of a new item takes it. */
export function keepFound(entry) {
  found = entry;
}

/** The entry that was found last; null for none. Gives it once. */
export function takeFound() {
  const entry = found;
  found = null;
  return entry;
}
