import { api } from '../api.js';
import { h, icon, replace } from '../dom.js';
import { formatTime } from '../clock.js';
import { t } from '../i18n.js';
import { preferences } from '../preferences.js';
import { attempt } from './notice.js';

const TIMES = [3600, 8 * 3600, 24 * 3600];

/** Silences that were asked for in this browser and still last: item → end in milliseconds. */
export function silences() {
  const kept = Object.entries(preferences.get('silences') ?? {});
  return new Map(kept.filter(([, until]) => until > Date.now()));
}

async function silence(item, seconds) {
  const done = await attempt(() => api.silence(item, seconds));
  if (!done) return;
  const all = silences();
  if (seconds > 0) all.set(item, Date.now() + seconds * 1000);
  else all.delete(item);
  preferences.set('silences', Object.fromEntries(all));
  dispatchEvent(new Event('silences'));
}

/** Makes the control that holds back alerts about an item; nothing for a viewer. */
export function silenceControl(item) {
  const element = h('div.silence');
  if (!api.mayWrite) return element;
  const draw = () => {
    const until = silences().get(item);
    if (until) {
      replace(element, h('span.muted', {}, t('alerts.silenced.until', { time: formatTime(until / 1000) })),
        h('button.button', { type: 'button', on: { click: () => silence(item, 0) } }, t('alerts.unsilence')));
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
