import { hasText, t } from './i18n.js';
import { store } from './store.js';

/** Confidence below which an answer is said to be not sure. */
export const DOUBTFUL = 0.7;

/** The name of an item or a person. */
export function itemName(id) {
  const record = store.items.get(id);
  return record?.config?.name ?? record?.location?.name ?? store.persons.get(id)?.name ?? id;
}

/** The name of a room, of `away` and of `unknown`. */
export function roomName(id) {
  if (id === 'away' || id === 'unknown') return t(`state.${id}`);
  return store.house.rooms.find((room) => room.id === id)?.name ?? id;
}

/** The name of a rule of alerts. */
export function ruleName(rule) {
  return hasText(`rule.${rule}`) ? t(`rule.${rule}`) : rule;
}

/** The room in which a node stands: by its own description, else by the configuration. */
export function nodeRoom(id) {
  return store.nodes.get(id)?.info?.room ?? store.house.nodes.find((node) => node.id === id)?.room;
}

/** Tells whether a room has nodes and none of them is online: what is there is heard from afar at best. */
export function isDeaf(room) {
  const nodes = [...store.nodes.values()].filter((node) => nodeRoom(node.id) === room);
  return nodes.length > 0 && nodes.every((node) => node.status === 'offline');
}

/** The name of the room in which a node stands, where that says more than the node's name; else empty. */
export function roomBeside(node, room = nodeRoom(node)) {
  const name = room ? roomName(room) : '';
  return name.toLocaleLowerCase().startsWith(node.toLocaleLowerCase()) ? '' : name;
}

/** Tells whether an id is a person's. */
export function isPerson(id) {
  return store.items.get(id)?.location?.person === true || store.persons.has(id);
}

/** The state of an item; `unheard` for one of which nothing was published. */
export function stateOf(record) {
  return record.location?.state ?? 'unheard';
}

/** All rooms, by the configuration's order, then those that only nodes or items name. */
export function allRooms() {
  const rooms = [...store.house.rooms];
  const known = new Set(rooms.map((room) => room.id));
  const add = (id) => {
    if (!id || known.has(id) || id === 'away' || id === 'unknown') return;
    known.add(id);
    rooms.push({ id, name: id, next_to: [] });
  };
  for (const node of store.house.nodes) add(node.room);
  for (const node of store.nodes.values()) add(node.info?.room);
  for (const room of store.rooms.keys()) add(room);
  return rooms;
}

/** Rooms that are drawn. */
export function drawnRooms() {
  return store.house.rooms.filter((room) => room.polygon?.length >= 3);
}

/** The floors of drawn rooms, in their order. */
export function floors() {
  return [...new Set(drawnRooms().map((room) => room.floor ?? ''))];
}

/** The name of a floor for people. */
export function floorName(id) {
  return store.house.floors?.find((floor) => floor.id === id)?.name ?? id;
}

/** The picture of a floor, `{address, metres}`; null where it has none with a scale. */
export function floorPicture(id) {
  const floor = store.house.floors?.find((candidate) => candidate.id === id);
  return floor?.picture && floor.metres ? { address: pictureAddress(id, store.house.rev), metres: floor.metres } : null;
}

/** The address of a floor's picture. */
export function pictureAddress(floor, revision) {
  return new URL(`api/plan/pictures/${encodeURIComponent(floor)}?rev=${revision}`, document.baseURI).href;
}

/** Orders ids: persons first, then by name. */
export function byKindAndName(a, b) {
  return isPerson(b) - isPerson(a) || collator.compare(itemName(a), itemName(b));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Compares two names as people sort them. */
export function compareNames(a, b) {
  return collator.compare(a, b);
}

/** All words that items are tagged by, the most frequent first. */
export function allTags() {
  const counts = new Map();
  for (const record of store.items.values()) for (const tag of record.config?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([tag]) => tag);
}

/** A test for records by a text and a tag; `people` and `things` are tags of their own kind. Null where all pass. */
export function filterOf(text, tag) {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length && !tag) return null;
  return (record) => {
    if (tag === '@people' && !isPerson(record.id)) return false;
    if (tag === '@things' && isPerson(record.id)) return false;
    if (tag && !tag.startsWith('@') && !record.config?.tags?.includes(tag)) return false;
    if (!words.length) return true;
    const content = `${itemName(record.id)} ${record.id} ${record.place ? roomName(record.place) : ''}`.toLocaleLowerCase();
    return words.every((word) => content.includes(word));
  };
}

/** Up to two letters that stand for a name. */
export function initials(name) {
  const words = name.replace(/['’]s\b/g, '').split(/[\s_-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)));
  const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
  if (!letters.length) return '•';
  if (wide.test(letters[0])) return letters[0];
  return letters.slice(0, 2).join('').toLocaleUpperCase();
}

/** The place of a room's colour in the palette, from 0 to 7: rooms beside each other in the configuration differ. */
export function hueOfRoom(id) {
  const index = allRooms().findIndex((room) => room.id === id);
  return (index < 0 ? 0 : index) % 8;
}

/** The place of an item's colour in the palette, from 0 to 7. It stays with the id. */
export function hueOf(id) {
  let sum = 7;
  for (const letter of id) sum = (sum * 31 + letter.codePointAt(0)) % 65_521;
  return sum % 8;
}
