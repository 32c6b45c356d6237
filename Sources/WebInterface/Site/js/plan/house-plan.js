import { contains } from '../geometry.js';
import { allRooms, nodeRoom, roomName } from '../house.js';
import { formatNumber, t } from '../i18n.js';
import { store } from '../store.js';
import { area, crosses } from './snap.js';

/** The least number of gateways with a place by which a plan finds rooms. */
export const LEAST_NODES = 3;

/** Rooms that the configuration file draws, by id: they stay as they are. */
function fileRooms() {
  return store.house.rooms.filter((room) => room.polygon?.length > 2 && room.from !== 'plan');
}

/** Nodes that the configuration file places. */
function fileNodes() {
  return store.house.nodes.filter((node) => node.x !== undefined && node.from !== 'plan');
}

/** Tells whether the file draws a room. */
export function isLockedRoom(id) { return fileRooms().some((room) => room.id === id); }

/** Tells whether the file places a node. */
export function isLockedNode(id) { return fileNodes().some((node) => node.id === id); }

/** The floors of the draft and of the file: `{id, name}`; one without a name where there is none yet. */
export function floorsOf(draft) {
  const own = new Map(draft.value.floors.map((floor) => [floor.id, floor]));
  const ids = new Set([...fileRooms().map((room) => room.floor ?? ''), ...own.keys(), ...drawnRooms(draft).map((room) => room.floor ?? '')]);
  const floors = [...ids].map((id) => ({ id, name: (own.get(id)?.name ?? id) || t('plan.floor.unnamed'), own: own.has(id) }));
  return floors.length ? floors : [{ id: 'ground', name: t('plan.floor.ground') }];
}

/** All drawn rooms, of the file and of the draft. */
export function drawnRooms(draft) {
  const fixed = fileRooms().map((room) => ({ ...room, locked: true }));
  const locked = new Set(fixed.map((room) => room.id));
  return [...fixed, ...draft.value.rooms.filter((room) => room.polygon?.length > 2 && !locked.has(room.id))];
}

/** The name of a room of the draft. */
export function titleOf(draft, id) {
  return (isLockedRoom(id) ? null : draft.room(id)?.name) ?? roomName(id);
}

/** Rooms that are known and not drawn. One that only the saved plan names, and this draft no more, is on its way out. */
export function undrawnRooms(draft) {
  const served = new Set(knownNodes().map((id) => nodeRoom(id)));
  const gone = new Set(store.house.rooms.filter((room) => room.from === 'plan' && !draft.room(room.id) && !served.has(room.id)).map((room) => room.id));
  return offeredRooms(draft).filter((id) => !gone.has(id));
}

/** Rooms that an outline may be given to: all that are known and not drawn. */
export function offeredRooms(draft) {
  const drawn = new Set(drawnRooms(draft).map((room) => room.id));
  return allRooms().map((room) => room.id).concat(draft.value.rooms.map((room) => room.id)).filter((id, index, all) => !drawn.has(id) && all.indexOf(id) === index);
}

/** The ids of all gateways that are known. */
export function knownNodes() {
  return [...new Set([...store.nodes.keys(), ...store.house.nodes.map((node) => node.id)])].sort();
}

/** The placed nodes, of the file and of the draft. */
export function placedNodes(draft) {
  const fixed = fileNodes().map(({ id, x, y, z }) => ({ id, x, y, z, locked: true }));
  const locked = new Set(fixed.map((node) => node.id));
  return [...fixed, ...draft.value.nodes.filter((node) => !locked.has(node.id))];
}

/** The floor of a placed node: that of its room, else of the room around it; null for any. */
export function floorOfNode(draft, node) {
  const rooms = drawnRooms(draft);
  const room = rooms.find((other) => other.id === nodeRoom(node.id)) ?? (nodeRoom(node.id) ? null : rooms.find((other) => contains(other.polygon, node.x, node.y)));
  return room ? room.floor ?? '' : null;
}

/** The placed nodes on a floor. */
export function nodesOn(draft, floor) {
  return placedNodes(draft).filter((node) => [null, floor].includes(floorOfNode(draft, node)));
}

/** The fault of a node whose place is outside of its room, as words; empty for none. */
export function faultOfNode(draft, node) {
  const id = nodeRoom(node.id);
  const room = id && drawnRooms(draft).find((other) => other.id === id);
  return room && !contains(room.polygon, node.x, node.y) ? t('plan.node.elsewhere', { node: node.id, room: titleOf(draft, id) }) : '';
}

/** The rooms of a floor as the canvas draws them. */
export function shapesOn(draft, floor) {
  return drawnRooms(draft).filter((room) => (room.floor ?? '') === floor).map((room) => ({
    id: room.id, polygon: room.polygon, locked: room.locked, title: titleOf(draft, room.id), bad: crosses(room.polygon), area: t('unit.m2', { n: formatNumber(area(room.polygon), 1) }) }));
}

/** The doors of the draft and of the file, each once. */
export function allDoors(draft) {
  const doors = new Map();
  const add = (one, other, own) => doors.set([one, other].sort().join(' '), [one, other, own]);
  for (const room of store.house.rooms) if (room.from !== 'plan') for (const other of room.next_to ?? []) if (!draft.base.some((door) => door.includes(room.id) && door.includes(other))) add(room.id, other, false);
  for (const [one, other] of draft.value.doors) add(one, other, true);
  return [...doors.values()];
}

/**
 * The progress of a plan: names of rooms that are `undrawn` and of those that are `free` of gateways, the number of gateways
 * `placed`, `isDrawn` where all rooms are drawn, and `isReady` where the plan can be used.
 */
export function progress(draft) {
  const undrawn = undrawnRooms(draft);
  const drawn = drawnRooms(draft);
  const placed = placedNodes(draft).filter((node) => nodeRoom(node.id));
  const served = new Set(knownNodes().map((id) => nodeRoom(id)));
  const free = drawn.filter((room) => !served.has(room.id)).map((room) => titleOf(draft, room.id));
  return { undrawn: undrawn.map((id) => titleOf(draft, id)), isDrawn: drawn.length > 0 && !undrawn.length, placed: placed.length, free, isReady: drawn.length > 0 && !undrawn.length && placed.length >= LEAST_NODES };
}
