import { send } from '../api.js';

function ask(method, path, { body, type, match } = {}) {
  const headers = {};
  if (type) headers['Content-Type'] = type;
  if (match !== undefined) headers['If-Match'] = `"${match}"`;
  return send(method, path, { headers, body, patience: 60_000 });
}

/** The plan in force, `{rev, floors, rooms, doors, nodes}`. */
export async function loadPlan() {
  return (await ask('GET', 'api/plan')).json();
}

/** Puts a plan in force that was made of the one with revision `match`; without it over any. Refused by 412 if there is a newer one. */
export async function savePlan(plan, match) {
  const body = JSON.stringify({ v: 1, rev: plan.rev ?? 0, ...plan });
  return (await ask('PUT', 'api/plan', { body, type: 'application/json', match })).json();
}

/** Sets the picture of a floor; null removes it. */
export async function savePicture(floor, blob) {
  const path = `api/plan/pictures/${encodeURIComponent(floor)}`;
  if (blob) await ask('PUT', path, { body: blob, type: blob.type });
  else await ask('DELETE', path);
}

/** The house as sections of a configuration, as text. */
export async function loadYAML() {
  return (await ask('GET', 'api/plan/yaml')).text();
}
