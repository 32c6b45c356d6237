/**
 * The house at a moment of the past, as visits tell it, in the form of the store: `items` and `members`, and `watch` for
 * changes. An item of which nothing was recorded at that moment has no place, and is among those of `unrecorded`.
 */
export class Past {
  items = new Map();
  members = new Map();
  #visits = new Map();
  #listeners = new Set();
  #at = 0;

  /** Calls `listener(changes)` after changes, until the function returned is called. */
  watch(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all items. */
  clear() {
    const ids = new Set(this.items.keys());
    this.items.clear();
    this.members.clear();
    this.#visits.clear();
    this.#tell(ids);
  }

  /** Takes the visits of an item: `{room, from, to, confidence}` in the order of time; the last one may lack `to`. */
  add(id, visits) {
    this.#visits.set(id, visits);
    if (this.#place(id)) this.#tell(new Set([id]));
  }

  /** Goes to a moment, in Unix seconds. */
  seek(at) {
    this.#at = at;
    const changed = new Set([...this.#visits.keys()].filter((id) => this.#place(id)));
    if (changed.size) this.#tell(changed);
  }

  /** The items of which there is no record at the moment. */
  unrecorded() {
    return [...this.#visits.keys()].filter((id) => !this.items.has(id));
  }

  /** The moments at which something changed its place within a span, in no order. */
  moves({ from, to }) {
    return [...this.#visits.values()].flat().map((visit) => visit.from).filter((at) => at > from && at <= to);
  }

  /** The moment of the first visit; 0 where there is none. */
  begin() {
    const first = Math.min(...[...this.#visits.values()].map((visits) => visits[0]?.from ?? Infinity));
    return Number.isFinite(first) ? first : 0;
  }

  #place(id) {
    const visit = visitAt(this.#visits.get(id), this.#at);
    const before = this.items.get(id);
    if (before?.visit === visit) return false;
    this.members.get(before?.place)?.delete(id);
    if (!visit) return this.items.delete(id);
    const away = visit.room === 'away';
    const location = away ? { state: 'away' } : { state: 'present', room: visit.room, confidence: visit.confidence };
    this.items.set(id, { id, visit, place: visit.room, location });
    if (!this.members.has(visit.room)) this.members.set(visit.room, new Set());
    this.members.get(visit.room).add(id);
    return true;
  }

  #tell(items) {
    for (const listener of [...this.#listeners]) listener({ items, nodes: new Set(), house: false });
  }
}

/** The visit that a moment falls into; undefined for none. */
function visitAt(visits, at) {
  let low = 0;
  let high = visits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (visits[middle].from <= at) low = middle + 1;
    else high = middle;
  }
  const visit = visits[low - 1];
  return visit && (visit.to ?? Infinity) > at ? visit : undefined;
}

/** The day that a moment falls into, in the browser's zone, up to `now`: `{from, to}` in Unix seconds. */
export function dayOf(at, now) {
  const midnight = new Date(at * 1000);
  midnight.setHours(0, 0, 0, 0);
  const from = midnight.getTime() / 1000;
  midnight.setDate(midnight.getDate() + 1);
  return { from, to: Math.max(from + 1, Math.min(now, midnight.getTime() / 1000)) };
}
