import { formatMoment } from '../clock.js';
import { h, icon, replace, setText } from '../dom.js';
import { compareNames, itemName } from '../house.js';
import { counted, formatNumber, t } from '../i18n.js';
import { link } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

const GRADES = ['change_now', 'this_week', 'this_month', 'fine', 'unknown'];
/** The grades that are shown. */
const DUE = 3;

/** The batteries that are to be changed within a month, the most urgent first; hidden while there is none. */
export class Batteries {
  #summary = h('summary');
  #list = h('ul.plain-list.batteries');
  #digest = '';

  constructor(scope) {
    this.element = h('details', { hidden: true }, this.#summary, this.#list);
    const refresh = throttled(1000, () => this.#show());
    scope.add(store.watch((changes) => { if (changes.items.size || changes.house) refresh(); }));
    this.#show();
  }

  #show() {
    const due = dueBatteries(store.items.values());
    const now = store.clock.now();
    const rows = due.map(({ id, battery }) => ({ id, name: itemName(id), grade: battery.grade, words: batteryWords(battery, now) }));
    const digest = JSON.stringify(rows);
    if (digest === this.#digest) return;
    this.#digest = digest;
    this.element.hidden = rows.length === 0;
    const urgent = due.filter(({ battery }) => rank(battery) < 2).length;
    if (urgent) this.element.open = true;
    setText(this.#summary, `${t('batteries.title')} · ${urgent ? t('batteries.urgent', { n: formatNumber(urgent) }) : t('batteries.month', { n: formatNumber(rows.length) })}`);
    replace(this.#list, due.map(({ id, battery }, index) => h('li', {}, icon('warning'), ' ', h('a', { href: link('live', id) }, rows[index].name), ' ',
      gradeTag(battery), h('span.muted', {}, rows[index].words))));
  }
}

function rank(battery) {
  const place = GRADES.indexOf(battery.grade);
  return place < 0 ? GRADES.length : place;
}

/** Shows in a paragraph that a battery is to be changed, and hides it for one that is not. */
export function showBattery(element, battery, now) {
  element.hidden = rank(battery) >= DUE;
  const fresh = h('p.panel-battery', {}, h('strong', {}, t('batteries.title.one')), ' ', gradeTag(battery), ' ', h('span.muted', {}, batteryWords(battery, now)));
  if (element.textContent !== fresh.textContent) element.replaceChildren(...fresh.childNodes);
}

function gradeTag({ grade }) {
  return h(`span.tag.${grade === 'this_month' ? 'warn' : 'bad'}`, {}, t(`batteries.grade.${grade}`));
}

/** The items whose battery is to be changed within a month, the most urgent first. */
export function dueBatteries(records) {
  return [...records].filter(({ battery }) => battery && rank(battery) < DUE)
    .sort((a, b) => rank(a.battery) - rank(b.battery) || (a.battery.days ?? Infinity) - (b.battery.days ?? Infinity) || compareNames(itemName(a.id), itemName(b.id)));
}

/** The level, the days that are left and the reason, in words. */
export function batteryWords(battery, now) {
  const level = battery.battery_mv !== undefined ? `${formatNumber(battery.battery_mv / 1000, 2)} V` : battery.battery_percent !== undefined ? `${formatNumber(battery.battery_percent)} %` : null;
  const left = battery.days !== undefined && battery.reason !== 'silent' ? t('batteries.left', { days: counted('duration.days', Math.round(battery.days)), low: formatNumber(battery.days_low), high: formatNumber(battery.days_high) }) : null;
  const reason = battery.silent_since !== undefined ? t('batteries.reason.silent', { moment: formatMoment(battery.silent_since, now) }) : ['empty', 'low', 'falling', 'slower'].includes(battery.reason) ? t(`batteries.reason.${battery.reason}`) : null;
  return [level, left, reason].filter(Boolean).join(' · ');
}
