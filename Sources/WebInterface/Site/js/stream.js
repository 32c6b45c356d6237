import { EventParser } from './events-parser.js';

/** Silence after which a connection counts as lost: the server sends a comment every 15 s. */
const SILENCE = 35_000;
/** Seconds between attempts; the last stays. */
const DELAYS = [1, 2, 4, 8, 15];

/**
 * A subscription of `/events` that outlasts lost connections and asks for what it missed by the last event's id.
 *
 * It reads the stream by `fetch` rather than by `EventSource`, which shows neither the status of a refusal nor the
 * comments that prove a silent connection alive.
 *
 * `handlers`: `reset()`, `changes(list)`, `ready()`, `state({name, until})`, `refused()`. Names of states: `connecting`,
 * `live`, `waiting` (`until` is the time of the next attempt in milliseconds).
 */
export class Stream {
  #topics;
  #handlers;
  #lastID = null;
  #attempts = 0;
  #control = null;
  #timer = 0;
  #closed = false;
  #wakeUp = () => this.#retryNow();
  /** A browser without a network may keep a dead connection until the watchdog. */
  #giveUp = () => this.#control?.abort();

  constructor(handlers, topics = null) {
    this.#handlers = handlers;
    this.#topics = topics;
  }

  /** Opens the connection and keeps it until `close`. */
  open() {
    addEventListener('online', this.#wakeUp);
    addEventListener('offline', this.#giveUp);
    document.addEventListener('visibilitychange', this.#wakeUp);
    this.#connect();
  }

  /** Ends the subscription. */
  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener('online', this.#wakeUp);
    removeEventListener('offline', this.#giveUp);
    document.removeEventListener('visibilitychange', this.#wakeUp);
    this.#control?.abort();
  }

  #retryNow() {
    if (this.#timer && !document.hidden) this.#connect();
  }

  async #connect() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const control = this.#control = new AbortController();
    this.#handlers.state?.({ name: 'connecting' });
    let watchdog = setTimeout(() => control.abort(), SILENCE);
    try {
      const answer = await fetch(this.#address(), {
        headers: this.#lastID ? { 'Last-Event-ID': this.#lastID } : {}, signal: control.signal, cache: 'no-store',
      });
      if (answer.status === 401) {
        this.close();
        this.#handlers.refused?.();
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      const parser = new EventParser();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => control.abort(), SILENCE);
        for (const event of parser.push(value)) this.#receive(event);
      }
    } catch {
      // A lost connection, an unreachable server or the watchdog: all are tried again.
    } finally {
      clearTimeout(watchdog);
    }
    if (!this.#closed) this.#wait();
  }

  #address() {
    const address = new URL('events', document.baseURI);
    if (this.#topics) address.searchParams.set('topics', this.#topics.join(','));
    return address;
  }

  #receive(event) {
    if (event.id !== null) this.#lastID = event.id;
    if (event.type === 'reset') this.#handlers.reset?.();
    else if (event.type === 'changes') this.#handlers.changes(JSON.parse(event.data));
    else if (event.type === 'ready') {
      this.#attempts = 0;
      this.#handlers.ready?.();
      this.#handlers.state?.({ name: 'live' });
    }
  }

  #wait() {
    const seconds = DELAYS[Math.min(this.#attempts++, DELAYS.length - 1)];
    this.#handlers.state?.({ name: 'waiting', until: Date.now() + seconds * 1000 });
    this.#timer = setTimeout(() => this.#connect(), seconds * 1000);
  }
}
