/** A refusal of the server, or `status` 0 where it was not reached. `message` is for people. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let session = null;

const MOST_TRIES = 4;
const PAUSE = 1200;

/** Asks, and asks again a little later where the server has more requests than it takes at a time. */
async function request(method, path, body) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await requestOnce(method, path, body);
    } catch (refusal) {
      const busy = refusal.status === 429 || refusal.status === 503;
      if (method !== 'GET' || !busy || tries === MOST_TRIES) throw refusal;
      await new Promise((resolve) => { setTimeout(resolve, PAUSE * tries); });
    }
  }
}

async function requestOnce(method, path, body) {
  const content = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await send(method, path, { ...content, patience: 15_000 });
  return answer.status === 204 ? null : answer.json().catch(() => ({}));
}

/** Sends a request in the session's name, and waits `patience` milliseconds for its answer. Throws `Refusal`. */
export async function send(method, path, { headers = {}, body, patience }) {
  if (method !== 'GET' && session) headers['X-CSRF-Token'] = session.csrf;
  let answer;
  try {
    answer = await fetch(new URL(path, document.baseURI), { method, headers, body, cache: 'no-store', signal: AbortSignal.timeout(patience) });
  } catch {
    throw new Refusal(0, '');
  }
  if (answer.ok) return answer;
  const content = await answer.json().catch(() => ({}));
  throw new Refusal(answer.status, content.detail ?? content.title ?? String(answer.status));
}

const segment = encodeURIComponent;

/** The requests of the page. Each throws `Refusal`. */
export const api = {
  /** The session, `{user, role, csrf}`, or null. */
  get session() { return session; },

  /** True if the session may change something. */
  get mayWrite() { return session?.role === 'operator' || session?.role === 'admin'; },

  /** True if the session may change settings of nodes, and read who changed what. */
  get mayAdminister() { return session?.role === 'admin'; },

  /** Asks for the session that the cookie stands for; null for none. */
  async resume() {
    try {
      session = await request('GET', 'api/session');
    } catch (refusal) {
      if (refusal.status !== 401) throw refusal;
      session = null;
    }
    return session;
  },

  /** Signs in by a token. */
  async signIn(token) {
    session = await request('POST', 'api/session', { token });
    return session;
  },

  /** Signs out. */
  async signOut() {
    await request('DELETE', 'api/session');
    session = null;
  },

  /** Forgets the session after the server ended it. */
  forget() { session = null; },

  /** Explains an answer. */
  async why(item) {
    const answer = await request('GET', `api/items/${segment(item)}/why`);
    return answer.why ?? answer;
  },

  /** The visits of an item from `from` to `to`, in Unix seconds: `{visits, now}`; asks on while the answer is cut. */
  async history(item, from, to) {
    const visits = [];
    let begin = from;
    let now = to;
    for (let page = 0; page < 20; page += 1) {
      const answer = await request('GET', `api/items/${segment(item)}/history?from=${begin.toFixed(3)}&to=${to.toFixed(3)}`);
      const history = answer.history ?? answer;
      visits.push(...history.visits.filter((visit) => !visits.some((other) => other.from === visit.from)));
      now = history.now ?? now;
      if (history.next === undefined) break;
      begin = history.next;
    }
    return { visits, now };
  },

  /** Writes an entry of the registry. */
  putItem(item, entry) { return request('PUT', `api/items/${segment(item)}`, entry); },

  /** Removes an item from the registry. */
  removeItem(item) { return request('DELETE', `api/items/${segment(item)}`); },

  /** Holds back the alerts about an item for so many seconds; 0 ends that. */
  silence(item, seconds) { return request('POST', `api/items/${segment(item)}/silence`, { for: seconds }); },

  /** Has a node add so many decibels to its levels. */
  setOffset(node, decibels) { return request('PUT', `api/nodes/${segment(node)}/offset`, { offset_db: decibels }); },

  /** Restores the offset of a node's own configuration. */
  restoreOffset(node) { return request('DELETE', `api/nodes/${segment(node)}/offset`); },

  /** What is wrong and what is right in the house: `{findings}`. */
  doctor() { return request('GET', 'api/doctor'); },

  /** Lists lessons and rooms. */
  lessons() { return request('GET', 'api/lessons'); },

  /** Begins a lesson. */
  async teach(item, room, seconds, walk) {
    const answer = await request('POST', 'api/lessons', { item, room, for: seconds, walk });
    return answer.lesson ?? answer;
  },

  /** The lesson under way, or the item's last one; null for none. */
  async lesson(item) {
    try {
      const answer = await request('GET', `api/lessons/current/${segment(item)}`);
      return answer.lesson ?? answer;
    } catch (refusal) {
      if (refusal.status === 404) return null;
      throw refusal;
    }
  },

  /** Ends the lesson under way, and keeps or discards it. */
  async endLesson(item, discard) {
    const answer = await request('DELETE', `api/lessons/current/${segment(item)}${discard ? '?discard=true' : ''}`);
    return answer?.lesson ?? answer;
  },

  /** Asks a node for a minute for the tags near it, on topic `enrolment/<node>`. */
  enrol(node) { return request('POST', 'api/enrolment', { node }); },

  /** Ends that. */
  endEnrolment(node) { return request('DELETE', `api/enrolment/${segment(node)}`); },

  /** Says that an item came to a room so many seconds ago, or, for null, that its walk ended. */
  markTruth(item, room, ago) { return request('POST', 'api/truth', { item, room, ago }); },

  /** The true rooms of an item, and what the answers were worth. */
  truth(item) { return request('GET', `api/truth/${segment(item)}`); },

  /** Forgets the true rooms of an item. */
  forgetTruth(item) { return request('DELETE', `api/truth/${segment(item)}`); },

  /** Forgets a lesson. */
  undoLesson(lesson) { return request('DELETE', `api/lessons/${segment(lesson)}`); },
};
