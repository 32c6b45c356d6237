import { allRooms, nodeRoom } from './house.js';
import { store } from './store.js';
import { Stream } from './stream.js';

/** Windows from which on a median is worth a word. */
const LEAST_WINDOWS = 20;
/** Decibels by which one level must exceed another to be called louder. */
const LOUDER = 3;
/** Packets that a room must have been owed, and the share of them that is lost where reception is poor. */
const LEAST_PACKETS = 30;
export const POOR = 0.15;
const MOST_READINGS = 6;

/** Follows the reception of the house, which the server makes only meanwhile; returns the function that ends it. */
export function followReception() {
  const stream = new Stream({ changes: (list) => store.apply(list) }, ['reception']);
  stream.open();
  return () => stream.close();
}

/** The median of a node's levels of items in a room, in dBm; null where there are too few. */
export function levelAt(reception, node, room) {
  const [level, windows] = reception?.nodes?.[node]?.[room] ?? [];
  return windows >= LEAST_WINDOWS ? level : null;
}

/** The nodes and rooms of the matrix: all nodes that hear something or are known, and all rooms. */
export function axes(reception) {
  const nodes = new Set([...store.house.nodes.map((node) => node.id), ...store.nodes.keys(), ...Object.keys(reception?.nodes ?? {})]);
  return { nodes: [...nodes].sort(), rooms: allRooms().map((room) => room.id) };
}

/**
 * Findings of the levels about places and offsets: `{kind, node, room, other, n}`. `louder`: `node` stands in `room` and hears
 * `other` louder. `outdone`: the node `other` hears `room` louder than `node`, which stands there. The gravest first.
 */
export function readings(reception, roomOf = nodeRoom) {
  const nodes = Object.keys(reception?.nodes ?? {});
  const found = [];
  for (const node of nodes) {
    const room = roomOf(node);
    const own = room && levelAt(reception, node, room);
    if (own === null || own === undefined) continue;
    const loudest = (list) => list.filter(([, level]) => level !== null).sort((a, b) => b[1] - a[1])[0];
    const elsewhere = loudest(Object.keys(reception.nodes[node]).filter((other) => other !== room).map((other) => [other, levelAt(reception, node, other)]));
    if (elsewhere && elsewhere[1] >= own + LOUDER) found.push({ kind: 'louder', node, room, other: elsewhere[0], n: Math.round(elsewhere[1] - own) });
    const best = loudest(nodes.filter((other) => roomOf(other) === room).map((other) => [other, levelAt(reception, other, room)]));
    const rival = loudest(nodes.filter((other) => roomOf(other) !== room).map((other) => [other, levelAt(reception, other, room)]));
    if (best?.[0] === node && rival && rival[1] >= own + LOUDER) found.push({ kind: 'outdone', node, room, other: rival[0], n: Math.round(rival[1] - own) });
  }
  return found.sort((a, b) => b.n - a.n).slice(0, MOST_READINGS);
}

/** The share of packets that no node received, by room, where that is poor. */
export function losses(reception) {
  const found = new Map();
  for (const [room, { received, expected }] of Object.entries(reception?.rooms ?? {})) {
    const share = 1 - received / expected;
    if (expected >= LEAST_PACKETS && share >= POOR) found.set(room, share);
  }
  return found;
}
