import { HouseClock } from './clock.js';

/** One round of changes: ids by kind, and a mark for each of the things that have no id. */
class Changes {
  items = new Set();
  nodes = new Set();
  rooms = new Set();
  fusers = new Set();
  levels = new Set();
  events = new Set();
  house = false;
  silences = false;
  reception = false;
  connection = false;
}

const PARTS = {
  items: ['config', 'location', 'alert', 'telemetry', 'battery'],
  nodes: ['status', 'info', 'health', 'scan'],
  rooms: ['occupancy'],
  fusers: ['status', 'claim'],
};

/**
 * The state of the house as topics tell it: a map from topic to payload, read into one record for each item, node, room
 * and fuser. Listeners hear of changes once a frame.
 */
export class Store {
  /** The description of the house: rooms, nodes and persons of the configuration. */
  house = { rooms: [], nodes: [], persons: [], rules: [] };
  /** Persons of the configuration by their id. */
  persons = new Map();
  items = new Map();
  nodes = new Map();
  rooms = new Map();
  fusers = new Map();
  levels = new Map();
  /** Ids of items by the room that they are in, and by `away` and `unknown`. */
  members = new Map();
  /** Items about which alerts are held back, with the end in Unix seconds; null where the fuser does not tell it. */
  silences = null;
  /** The levels at nodes and the lost packets by room, while a view follows them; else null. */
  reception = null;
  clock = new HouseClock();
  /** The state of the connection, as `Stream` reports it, and the time in milliseconds of the last change. */
  connection = { name: 'connecting' };
  lastReceived = 0;
  /** True once a first whole state has arrived. */
  complete = false;

  #listeners = new Set();
  #changes = new Changes();
  #scheduled = false;
  #topics = new Set();
  #before = null;

  /** Calls `listener(changes)` after changes, until the function returned is called. */
  watch(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes changes as they arrive: pairs of topic and payload, null where the topic was cleared. */
  apply(list, now = Date.now()) {
    this.lastReceived = now;
    for (const [topic, payload] of list) this.#set(topic, payload, now);
    this.#schedule();
  }

  /** Begins a new whole state: what it does not name until `ready` is dropped then. */
  reset() {
    this.#before = new Set([...(this.#before ?? []), ...this.#topics]);
    this.#topics = new Set();
  }

  /** Ends a whole state. */
  ready() {
    if (this.#before) for (const topic of this.#before) if (!this.#topics.has(topic)) this.#set(topic, null, Date.now());
    this.#before = null;
    this.complete = true;
    this.#changes.house = true;
    this.#schedule();
  }

  /** Takes the state of the connection. */
  connected(state) {
    this.connection = state;
    this.#changes.connection = true;
    this.#schedule();
  }

  #set(topic, payload, now) {
    if (payload === null) this.#topics.delete(topic);
    else this.#topics.add(topic);
    if (topic === 'house') {
      this.house = { rooms: [], nodes: [], persons: [], rules: [], ...payload };
      this.persons = new Map(this.house.persons.map((person) => [person.id, person]));
      this.#changes.house = true;
      return;
    }
    if (topic === 'silences') {
      this.silences = payload && new Map(Object.entries(payload.items ?? {}));
      this.#changes.silences = true;
      return;
    }
    if (topic === 'reception') {
      this.reception = payload;
      this.#changes.reception = true;
      return;
    }
    const [family, id, part] = topic.split('/');
    if (family === 'levels') this.#setWhole('levels', id, payload);
    else if (family === 'events') this.#event(id, payload);
    else this.#setPart(family === 'fuser' ? 'fusers' : family, id, part, payload, now);
  }

  #setWhole(family, id, payload) {
    if (payload === null) this[family].delete(id);
    else this[family].set(id, payload);
    this.#changes[family].add(id);
  }

  #event(id, payload) {
    if (!payload) return;
    this.#record('items', id).event = payload;
    if (this.complete) this.#changes.events.add(id);
  }

  #record(family, id) {
    let record = this[family].get(id);
    if (!record) this[family].set(id, record = { id });
    return record;
  }

  #setPart(family, id, part, payload, now) {
    if (!PARTS[family]?.includes(part)) return;
    const record = this.#record(family, id);
    if (part === 'config' && payload?.removed !== undefined) payload = null;
    if (payload === null) delete record[part];
    else record[part] = payload;
    if (part === 'location') this.#place(record);
    if (part === 'scan' && payload) this.clock.receive(id, payload.to, now);
    if (!PARTS[family].some((name) => record[name] !== undefined)) this[family].delete(id);
    this.#changes[family].add(id);
  }

  #place(record) {
    const place = record.location && (record.location.room ?? record.location.state);
    if (place === record.place) return;
    this.members.get(record.place)?.delete(record.id);
    record.place = place;
    if (!place) return;
    if (!this.members.has(place)) this.members.set(place, new Set());
    this.members.get(place).add(record.id);
  }

  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const run = () => this.#flush();
    if (document.hidden) setTimeout(run, 250);
    else requestAnimationFrame(run);
  }

  #flush() {
    this.#scheduled = false;
    const changes = this.#changes;
    this.#changes = new Changes();
    for (const listener of [...this.#listeners]) listener(changes);
  }
}

/** The page's store. */
export const store = new Store();
