import { api } from '../api.js';
import { h, icon, replace } from '../dom.js';
import { formatTime } from '../clock.js';
import { t } from '../i18n.js';
import { link } from '../router.js';
import { preferences } from '../preferences.js';
import { store } from '../store.js';
import { attempt } from './notice.js';

const TIMES = [3600, 8 * 3600, 24 * 3600];

/**
 * Silences that still last: item → end in Unix seconds. They are those that the fuser tells of, else those that were asked
 * for in this browser.
 */
export function silences() {
  const known = store.silences ?? Object.entries(preferences.get('silences') ?? {});
  return new Map([...known].filter(([, until]) => until > store.clock.now()));
}

store.watch((changes) => { if (changes.silences) dispatchEvent(new Event('silences')); });

async function silence(item, seconds) {
  const done = await attempt(() => api.silence(item, seconds));
  if (!done || store.silences) return;
  const all = silences();
  if (seconds > 0) all.set(item, store.clock.now() + seconds);
  else all.delete(item);
  preferences.set('silences', Object.fromEntries(all));
  dispatchEvent(new Event('silences'));
}

/** Tells whether there can be an alert about an item: one stands open, or a rule is about it. */
export function isWatched(item) {
  return Boolean(store.items.get(item)?.alert?.alerts?.length) || store.house.rules.some((rule) => rule.item === item);
}

/** Makes the control that holds back alerts about an item; nothing for a viewer. It says so where there can be none. */
export function silenceControl(item) {
  const element = h('div.silence');
  if (!api.mayWrite) return element;
  const draw = () => {
    const until = silences().get(item);
    if (until) {
      replace(element, h('span.muted', {}, t('alerts.silenced.until', { time: formatTime(until) })),
        h('button.button', { type: 'button', on: { click: () => silence(item, 0) } }, t('alerts.unsilence')));
    } else if (!isWatched(item)) {
      replace(element, h('p.muted', {}, t(store.house.rules.length ? 'alerts.silence.norule' : 'alerts.silence.norules'), ' ', h('a', { href: link('alerts') }, t('rules.title'))));
    } else {
      const choices = h('select.field', { 'aria-label': t('alerts.silence.for') }, TIMES.map((seconds) => h('option', { value: String(seconds) }, t(`alerts.silence.${seconds / 3600}h`))));
      replace(element, choices, h('button.button', { type: 'button', on: { click: () => silence(item, Number(choices.value)) } }, icon('silence'), t('alerts.silence')));
    }
  };
  const follow = () => {
    if (element.isConnected) draw();
    else removeEventListener('silences', follow);
  };
  addEventListener('silences', follow);
  draw();
  return element;
}
