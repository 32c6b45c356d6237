const NAME = 'whereabouts.marks';
/** Seconds after which the server takes a mark no more. */
const OLDEST = 600;

/** Tells whether a request may succeed if it is sent again later. */
function isPassing(refusal) {
  return refusal.status === 0 || refusal.status === 429 || refusal.status >= 503;
}

/**
 * Marks of true rooms on their way to the server. They wait in the session's storage, each with its time, so that neither
 * a lost connection nor a reload loses one. `send(item, room, ago)` sends one; `room` is null at the end of a walk.
 */
export class MarkQueue {
  #send;
  #storage;
  #now;
  #sending = null;
  #waiting = [];

  constructor(send, storage = sessionStorage, now = Date.now) {
    this.#send = send;
    this.#storage = storage;
    this.#now = now;
    try {
      this.#waiting = JSON.parse(storage.getItem(NAME)) ?? [];
    } catch {
      // Without a storage, marks last as long as the page.
    }
  }

  /** The number of marks that wait. */
  get count() {
    return this.#waiting.length;
  }

  /** The room of the last mark that waits for an item; undefined for none. */
  lastRoom(item) {
    return this.#waiting.findLast((mark) => mark.item === item)?.room;
  }

  /** Adds a mark of now. */
  add(item, room) {
    this.#waiting.push({ item, room, at: this.#now() });
    this.#keep();
  }

  /**
   * Sends what waits, in order. Returns `{answer, refusal}`: the answer to the last mark that was sent, and the refusal of
   * one that is given up.
   */
  flush() {
    this.#sending ??= this.#sendAll().finally(() => { this.#sending = null; });
    return this.#sending;
  }

  async #sendAll() {
    let [answer, refusal] = [null, null];
    while (this.#waiting.length) {
      const { item, room, at } = this.#waiting[0];
      try {
        answer = await this.#send(item, room, Math.min(OLDEST, Math.max(0, (this.#now() - at) / 1000)));
      } catch (error) {
        if (error.status === undefined) throw error;
        if (isPassing(error)) break;
        refusal = error;
      }
      this.#waiting.shift();
      this.#keep();
    }
    return { answer, refusal };
  }

  #keep() {
    try {
      this.#storage.setItem(NAME, JSON.stringify(this.#waiting));
    } catch {
      // As above.
    }
  }
}
