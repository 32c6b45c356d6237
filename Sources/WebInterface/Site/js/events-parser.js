/**
 * Reads server-sent events from pieces of text (HTML Standard, 9.2.6), comments included: they prove that the
 * connection lives.
 */
export class EventParser {
  #rest = '';
  #type = '';
  #data = [];
  #id = null;

  /** Takes a piece of the stream and returns the events that it completes: `{type, id, data}`. */
  push(text) {
    const events = [];
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line === '') this.#complete(events);
      else this.#field(line);
    }
    return events;
  }

  #field(line) {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#type = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.#id = value;
  }

  #complete(events) {
    if (this.#data.length) events.push({ type: this.#type || 'message', id: this.#id, data: this.#data.join('\n') });
    this.#type = '';
    this.#data = [];
  }
}
