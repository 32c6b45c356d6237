import { api } from '../api.js';
import { nodeRoom } from '../house.js';
import { store } from '../store.js';

/** Milliseconds between two questions, and after an explanation that is not about the published place. */
const ASK_AGAIN = 3000;
const ASK_SOON = 700;

/** Tells whether an explanation is about the place that was published. */
export function explains(why, location) {
  return Boolean(why && location) && why.state === location.state && why.room === location.room;
}

/**
 * The answer about an item with its reasons, from one source: the fuser's explanation while it is about the published
 * place, else what was published. Null where nothing is known.
 */
export function answerOf(why, location) {
  if (!location) return null;
  if (explains(why, location)) return why;
  if (location.person) return { ...location, items: location.reason };
  return { ...location, nodes: location.reason?.map((entry) => ({ ...entry, room: nodeRoom(entry.node), state: store.nodes.get(entry.node)?.status === 'offline' ? 'offline' : entry.level === undefined ? 'silent' : 'heard' })) };
}

/** Asks the fuser why an item is where it is: from the first `refresh` on again and again, and at once when its place changes. */
export class Explanation {
  #id;
  #changed;
  #why = null;
  #asking = false;
  #timer = 0;
  #isOver = false;

  /** `changed()` is called after each answer of the fuser. */
  constructor(id, changed) {
    this.#id = id;
    this.#changed = changed;
  }

  /** The answer as of now. */
  get answer() {
    return answerOf(this.#why, store.items.get(this.#id)?.location);
  }

  /** Takes a change of the item. */
  refresh() {
    if (!this.#asking && !explains(this.#why, store.items.get(this.#id)?.location)) this.#ask();
  }

  /** Ends its questions. */
  dispose() {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #ask() {
    clearTimeout(this.#timer);
    const location = store.items.get(this.#id)?.location;
    this.#asking = true;
    try {
      this.#why = location ? await api.why(this.#id) : null;
    } catch {
      this.#why = null;
    }
    this.#asking = false;
    if (this.#isOver) return;
    const current = store.items.get(this.#id)?.location;
    this.#timer = setTimeout(() => this.#ask(), !this.#why || explains(this.#why, current) ? ASK_AGAIN : ASK_SOON);
    this.#changed();
  }
}
