/** Gap of a scan above which it is worth a word. */
const LARGE_GAP = 0.1;
/** Seconds without a scan that count as silence. */
const SILENCE = 15;
const KEYS_NAMED = 5;

/**
 * Problems of a node, the worst first: `{kind, grave, values, text, mend}`. `kind` names a text of the language files
 * with `values`; `text` and `mend` are sentences of the node itself. `now` is the time in the house.
 */
export function findings(node, now) {
  const { status, info, health, scan } = node;
  if (status !== 'online') return [{ kind: status ? 'offline' : 'never_seen', grave: true, values: status && health ? { since: health.to } : {} }];
  const found = [];
  const add = (kind, grave, values = {}, more = {}) => found.push({ kind, grave, values, ...more });
  if (info?.radio?.problem) add(`radio.${info.radio.problem}`, true, {}, { mend: info.radio.mend });
  if (scan && now - scan.to > SILENCE) add('silent', true, { n: Math.round(now - scan.to) });
  for (const problem of info?.problems ?? []) add('own', false, {}, { text: problem });
  const missing = (info?.missing_keys?.length ?? 0) + (info?.missing_keys_left_out ?? 0);
  if (missing) add('missing_keys', false, { more: Math.max(0, missing - KEYS_NAMED), items: (info.missing_keys ?? []).slice(0, KEYS_NAMED).join(', ') });
  for (const refused of info?.refused ?? []) add('refused', false, { item: refused.item }, { text: refused.reason });
  // That an ill radio hears little is said already.
  if (health?.gap > LARGE_GAP && !info?.radio?.problem) add(health.gap > 0.995 ? 'deaf' : 'gap', false, { share: health.gap });
  if (health?.dropped > 0) add('dropped', false, { n: health.dropped });
  if (info?.status_read_back === false) add('status_denied', false);
  return found;
}

/** Items whose key some nodes lack: the nodes that say so. */
export function nodesWithoutKey(nodes, item) {
  return [...nodes].filter((node) => node.info?.missing_keys?.includes(item)).map((node) => node.id);
}
