import { rounded } from './snap.js';

const MOST_STEPS = 200;

/**
 * A plan that is being changed, with the way back. `value` is `{floors, rooms, doors, nodes}` as on `house/plan`. What the
 * configuration file draws is not part of it.
 */
export class Draft {
  #past = [];
  #future = [];
  #saved;
  /** Pictures that are to be sent with the plan: by floor a blob, or null to remove the one that is there. */
  pictures = new Map();

  constructor(plan) {
    this.load(plan);
  }

  /** Begins anew with a plan of the server. */
  load(plan) {
    this.revision = plan.rev;
    this.value = { floors: plan.floors ?? [], rooms: plan.rooms ?? [], doors: plan.doors ?? [], nodes: plan.nodes ?? [] };
    this.#past = [];
    this.#future = [];
    this.pictures.clear();
    this.#saved = JSON.stringify(this.value);
  }

  /** Records that a value of this draft, and pictures of it, were saved. What was drawn since then is not. */
  saved(plan, value, pictures) {
    this.revision = plan.rev;
    this.#saved = JSON.stringify(value);
    for (const [floor, blob] of pictures) if (this.pictures.get(floor) === blob) this.pictures.delete(floor);
  }

  get isChanged() { return this.pictures.size > 0 || JSON.stringify(this.value) !== this.#saved; }
  get mayUndo() { return this.#past.length > 0; }
  get mayRedo() { return this.#future.length > 0; }

  /** Makes one step that can be taken back; `change(value)` changes a copy. Steps of one `kind` in a row are one. */
  step(change, kind = null) {
    const before = JSON.stringify(this.value);
    const next = JSON.parse(before);
    change(next);
    if (JSON.stringify(next) === before) return;
    if (!(kind && this.#past.at(-1)?.kind === kind)) this.#past.push({ before, kind });
    if (this.#past.length > MOST_STEPS) this.#past.shift();
    this.#future = [];
    this.value = next;
  }

  /** Ends the row of steps that count as one. */
  rest() {
    if (this.#past.length) this.#past.at(-1).kind = null;
  }

  undo() { this.#move(this.#past, this.#future); }
  redo() { this.#move(this.#future, this.#past); }

  #move(from, to) {
    if (!from.length) return;
    to.push({ before: JSON.stringify(this.value), kind: null });
    this.value = JSON.parse(from.pop().before);
  }

  room(id) { return this.value.rooms.find((room) => room.id === id); }
  node(id) { return this.value.nodes.find((node) => node.id === id); }
  floor(id) { return this.value.floors.find((floor) => floor.id === id); }
}

/** Makes sure that a plan has a floor, which the file may name. */
export function needFloor(value, id, name) {
  if (id && !value.floors.some((floor) => floor.id === id)) value.floors.push(name && name !== id ? { id, name } : { id });
}

/** Draws a room on a floor; one that is drawn already is drawn anew. */
export function putRoom(value, { id, name, floor, polygon }) {
  const room = value.rooms.find((other) => other.id === id) ?? {};
  if (!room.id) value.rooms.push(room);
  Object.assign(room, { id, polygon: polygon.map(rounded) });
  if (name && name !== id) room.name = name;
  if (floor) room.floor = floor;
}

/** Takes a room out, with its doors. */
export function dropRoom(value, id) {
  value.rooms = value.rooms.filter((room) => room.id !== id);
  value.doors = value.doors.filter((door) => !door.includes(id));
}

/** Makes a door between two rooms, or takes it away. */
export function toggleDoor(value, one, other) {
  const rest = value.doors.filter((door) => !(door.includes(one) && door.includes(other)));
  if (rest.length === value.doors.length) rest.push([one, other]);
  value.doors = rest;
}

/** Puts a node on a place. */
export function putNode(value, id, [x, y], z) {
  const node = value.nodes.find((other) => other.id === id);
  const place = { x: rounded(x), y: rounded(y) };
  if (node) Object.assign(node, place, z === undefined ? {} : { z });
  else value.nodes.push({ id, ...place, z: z ?? 1 });
}

/** Takes a floor out, with the rooms on it and their doors. Nodes in them lose their places. */
export function dropFloor(value, id, nodes) {
  for (const room of value.rooms.filter((room) => (room.floor ?? '') === id)) dropRoom(value, room.id);
  value.nodes = value.nodes.filter((node) => !nodes.includes(node.id));
  value.floors = value.floors.filter((floor) => floor.id !== id);
}

/** Gives a floor another scale: all that is drawn on it, and its picture, grow by a factor. */
export function scaleFloor(value, id, factor, nodes) {
  const floor = value.floors.find((other) => other.id === id);
  if (floor?.metres) floor.metres = floor.metres.map((length) => rounded(length * factor));
  for (const room of value.rooms) if ((room.floor ?? '') === id) room.polygon = room.polygon.map((corner) => rounded([corner[0] * factor, corner[1] * factor]));
  for (const node of value.nodes) if (nodes.includes(node.id)) Object.assign(node, { x: rounded(node.x * factor), y: rounded(node.y * factor) });
}
