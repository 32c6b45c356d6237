import { api } from '../api.js';
import { formatMoment, formatTime } from '../clock.js';
import { silenceControl, silences } from '../components/silence.js';
import { makeFace } from '../components/token.js';
import { h, icon, reconcile, replace, setText } from '../dom.js';
import { Hold, inHeldOrder } from '../hold.js';
import { itemName, roomName, ruleName } from '../house.js';
import { counted, t } from '../i18n.js';
import { link } from '../router.js';
import { ruleWords } from '../rules.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

const RECENT = 30;

/** The alerts view: what stands open, what is silenced, and what was told last. */
export function view(scope) {
  const open = h('div.alert-list');
  const none = h('p.hint', { role: 'status' });
  const silenced = h('ul.plain-list');
  const ownAlone = h('p.hint', {}, t('alerts.silenced.hint'));
  const noneSilenced = h('p.hint', { role: 'status' });
  const silencedPart = h('section', {}, h('h2', {}, t('alerts.silenced')), ownAlone, noneSilenced, silenced);
  let order = [];
  const hold = new Hold(scope, open, () => refresh());
  const keyOf = (entry) => `${entry.id} ${entry.alert}`;
  const recent = h('ul.plain-list');
  const rules = h('ul.rule-list');
  const element = h('div.page', {}, h('h1', {}, t('nav.alerts')), none, open, silencedPart, h('h2', {}, t('alerts.recent')), recent, h('h2', {}, t('rules.title')), h('p.hint', {}, t('rules.hint')), rules);
  const refresh = throttled(500, () => {
    const now = store.clock.now();
    const quiet = silences();
    const records = [...store.items.values()].filter((record) => record.alert).sort((a, b) => b.alert.since - a.alert.since);
    const all = records.flatMap((record) => record.alert.alerts.map((alert) => ({ id: record.id, ...alert })));
    const entries = hold.active ? inHeldOrder(order, all, keyOf) : all;
    order = entries.map(keyOf);
    showRules(rules, new Set(entries.map((entry) => entry.alert)));
    setText(none, entries.length ? '' : t('alerts.none'));
    reconcile(open, entries, keyOf, makeEntry, (card, entry) => {
      const [name, words] = card.children[1].children;
      setText(name, itemName(entry.id));
      const place = store.items.get(entry.id)?.place;
      setText(words, `${ruleName(entry.rule)} · ${counted('alerts.since', entry.count, { moment: formatMoment(entry.since, now) })}${place ? ` · ${t('alerts.place', { room: roomName(place) })}` : ''}${entry.evidence ? ` · ${entry.evidence}` : ''}`);
    });
    setText(noneSilenced, quiet.size ? '' : t(store.house.rules.length ? 'alerts.silenced.none' : 'alerts.silence.norules'));
    ownAlone.hidden = store.silences !== null || quiet.size === 0;
    reconcile(silenced, [...quiet], ([id]) => id, makeSilenced, (row, [id, until]) => {
      setText(row.children[0], itemName(id));
      setText(row.children[1], api.mayWrite ? '' : t('alerts.silenced.until', { time: formatTime(until) }));
    });
    const events = [...store.items.values()].filter(({ event }) => event?.kind === 'alert' || event?.kind === 'cleared').sort((a, b) => b.event.at - a.event.at).slice(0, RECENT);
    replace(recent, events.length ? events.map(({ id, event }) => h('li', {}, h('span.muted', {}, formatMoment(event.at, now)), ' ', h('a', { href: link('live', id) }, itemName(id)), ' ',
      event.kind === 'alert' ? ruleName(event.rule) : t('alerts.over', { rule: ruleName(event.rule) }))) : h('li.hint', {}, t('alerts.norecent')));
  });
  scope.add(store.watch((changes) => { if (changes.items.size || changes.events.size || changes.house) refresh(); }));
  scope.listen(window, 'silences', refresh);
  refresh();
  return { element };
}

/** Shows each rule as a sentence; `open` are the ids of those of which an alert stands open. */
function showRules(list, open) {
  const words = store.house.rules.map((rule) => ({ id: rule.id, isOpen: open.has(rule.id), ...ruleWords(rule) }));
  const digest = JSON.stringify(words);
  if (list.dataset.digest === digest) return;
  list.dataset.digest = digest;
  replace(list, words.length ? words.map(({ sentence, more, isOpen }) => h('li', {}, icon('alerts'), h('div', {}, h('p', {}, sentence), more ? h('p.muted', {}, more) : null), isOpen ? h('span.tag.bad', {}, t('rules.open')) : null)) : h('li.hint', {}, t('rules.none')));
}

function makeSilenced([id]) {
  return h('li.silenced', {}, h('a', { href: link('live', id) }), h('span.muted'), silenceControl(id));
}

function makeEntry(entry) {
  return h('section.alert-card', {}, makeFace(entry.id), h('div', {}, h('a.strong', { href: link('live', entry.id) }), h('p.muted')), silenceControl(entry.id));
}
