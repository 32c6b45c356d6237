import { api } from '../api.js';
import { formatDuration, formatMoment } from '../clock.js';
import { h, icon, reconcile, replace, setText } from '../dom.js';
import { nodesWithoutKey } from '../diagnosis.js';
import { DOUBTFUL, isPerson, itemName, roomBeside, roomName, ruleName, stateOf } from '../house.js';
import { counted, formatList, formatNumber, formatShare, hasText, t } from '../i18n.js';
import { link } from '../router.js';
import { Explanation } from './explanation.js';
import { silenceControl } from './silence.js';
import { store } from '../store.js';
import { makeFace, updateFace } from './token.js';
import { makeItemRow, updateItemRow } from './room-list.js';
import { comparison, distancesOf, figures, momentOf, nodeBars, roomBars, sharesOf, whySentence } from './why.js';

/** Seconds after which what is heard of an item is published again. */
const PUBLISHED_AGAIN = 330;

/** The panel of an item or a person: where it is and why, distances, readings and alerts. */
export class ItemPanel {
  #id;
  #timer = 0;
  #explanation;
  #showsFigures = false;
  #face;
  #title = h('h2', { tabindex: '-1' });
  #answer = h('p.answer');
  #since = h('p.muted');
  #alerts = h('div.panel-alerts');
  #battery = h('p.panel-battery', { hidden: true });
  #quiet = h('div.panel-quiet', { hidden: true });
  #sections = h('div.panel-sections');
  #back;

  constructor(id, close) {
    this.#id = id;
    this.#face = makeFace(id);
    this.#back = h('button.icon-button', { type: 'button', 'aria-label': t('action.close'), on: { click: close } }, icon('close'));
    this.element = h('aside.item-panel', { 'aria-label': itemName(id) },
      h('header', {}, this.#face, h('div', {}, this.#title, this.#since), this.#back),
      this.#answer, this.#alerts, this.#battery,
      h('div.panel-actions', {},
        h('a.button', { href: link('time', isPerson(id) ? 'person' : 'item', id) }, icon('time'), t('panel.timeline')),
        isPerson(id) ? null : h('a.button', { href: link('items', id) }, icon('edit'), t('panel.edit'))),
      this.#sections, this.#quiet);
    if (api.mayWrite) replace(this.#quiet, h('h3', {}, t('panel.quiet')), silenceControl(id));
    this.#explanation = new Explanation(id, () => this.#draw());
    this.#draw();
    this.#explanation.refresh();
    this.#timer = setInterval(() => { if (!document.hidden) this.#draw(); }, 1000);
  }

  /** Moves the focus to the name. */
  focus() {
    this.#title.focus({ preventScroll: true });
  }

  /** Takes changes of the store. */
  refresh(changes) {
    if (!changes.items.has(this.#id) && !changes.connection) return;
    this.#explanation.refresh();
    this.#draw();
  }

  /** Ends its timers. */
  dispose() {
    clearInterval(this.#timer);
    this.#explanation.dispose();
  }

  #draw() {
    const record = store.items.get(this.#id);
    if (!record) return;
    const now = store.clock.now();
    const { location } = record;
    updateFace(this.#face, this.#id);
    setText(this.#title, itemName(this.#id));
    const answer = this.#explanation.answer;
    setText(this.#answer, answer?.room ? t(answer.confidence < DOUBTFUL ? 'panel.answer.unsure' : 'panel.answer', { room: roomName(answer.room), share: formatShare(answer.confidence ?? 0) }) : t(`panel.state.${stateOf(record)}`));
    setText(this.#since, location ? [
      t('state.since', { state: t(`state.${location.state}`), duration: formatDuration(now - location.since) }),
      heardText(record, answer, now)].filter(Boolean).join(' · ') : '');
    this.#drawAlerts(record, now);
    // Few items say anything of their battery.
    if (record.battery) import('../batteries/list.js').then(({ showBattery }) => showBattery(this.#battery, record.battery, now));
    const sections = [...this.#explain(answer), this.#distances(record, answer, now), this.#readings(record, now), this.#keys(record), this.#registry(record)].filter(Boolean);
    reconcile(this.#sections, sections, ([key]) => key, ([key]) => h('section.panel-section', { 'data-section': key }), updateSection);
  }

  #explain(why) {
    if (!why) return [];
    const rooms = sharesOf(why);
    const title = why.room ? t('panel.why.room', { room: roomName(why.room) }) : t('panel.why');
    const found = [];
    if (why.items) found.push(['why', t('panel.why.person'), this.#carried(why)]);
    else if (why.nodes?.length) found.push(['why', title, [h('p', {}, whySentence(why)), comparison(why) ? h('p.muted.why-compared', {}, comparison(why)) : null, nodeBars(why), this.#figures(why), h('p.muted.why-moment', {}, momentOf(why))]]);
    if (rooms.length) found.push(['rooms', t('panel.rooms'), roomBars(rooms)]);
    return found;
  }

  #figures(why) {
    return figures(why, this.#showsFigures, (isOpen) => { this.#showsFigures = isOpen; });
  }

  #carried(why) {
    const rows = why.items.map((entry) => {
      const row = makeItemRow(entry.item);
      updateItemRow(row, entry.item, true);
      return h('div.carried', {}, row, entry.left_behind ? h('span.tag', {}, t('panel.leftbehind')) : null);
    });
    return [rows, why.must_have ? h('p.muted', {}, t('panel.musthave', { items: formatList(why.must_have.map(itemName)) })) : null];
  }

  #drawAlerts(record, now) {
    this.#quiet.hidden = !api.mayWrite || Boolean(record.alert?.alerts?.length);
    const entries = (record.alert?.alerts ?? []).map((alert) => ({ ...alert, key: alert.alert }));
    reconcile(this.#alerts, entries, (entry) => entry.key, () => h('div.alert-card', {}, icon('warning'), h('div', {}, h('strong'), h('p.muted')), silenceControl(this.#id)), (card, entry) => {
      const [words, since] = card.children[1].children;
      setText(words, ruleName(entry.rule));
      setText(since, counted('alerts.since', entry.count, { moment: formatMoment(entry.since, now) }) + (entry.evidence ? ` · ${entry.evidence}` : ''));
    });
  }

  #distances(record, why, now) {
    const list = distancesOf(record.location?.distances ?? {}, why?.nodes, why?.at ?? now).slice(0, 8);
    if (!list.length) return null;
    return ['distances', t('panel.distances'), h('dl.facts', {}, list.map(({ node, metres, old, age }) => [
      h(old ? 'dt.old' : 'dt', {}, node, h('span.muted', {}, ` ${roomBeside(node)}`)),
      h(old ? 'dd.old' : 'dd', {}, t('unit.m', { n: formatNumber(metres, 1) }), old ? h('span.muted', {}, ` · ${t('panel.ago', { duration: formatDuration(age) })}`) : null)]))];
  }

  #readings(record, now) {
    if (!record.telemetry) return null;
    const { v, at, node, ...readings } = record.telemetry;
    const entries = Object.entries(readings).map(([name, value]) => [h('dt', {}, hasText(`reading.${name}`) ? t(`reading.${name}`) : name.replaceAll('_', ' ')), h('dd', {}, readingText(name, value))]);
    return ['readings', t('panel.readings'), [h('dl.facts', {}, entries), h('p.muted', {}, t('panel.readings.at', { duration: formatDuration(now - at), node: node ?? '' }))]];
  }

  #keys(record) {
    if (!record.config?.key) return null;
    const nodes = nodesWithoutKey(store.nodes.values(), this.#id);
    if (!nodes.length) return null;
    return ['keys', t('panel.keys'), h('p', {}, icon('key'), ' ', t('panel.keys.missing', { nodes: formatList(nodes) }))];
  }

  #registry(record) {
    const tags = record.config?.tags ?? [];
    const owner = store.house.persons.find((person) => person.items?.includes(this.#id));
    if (!tags.length && !owner) return null;
    return ['about', t('panel.about'), [owner ? h('p', {}, h('a', { href: link('live', owner.id) }, t('panel.owner', { name: itemName(owner.id) }))) : null,
      tags.length ? h('p', {}, tags.map((tag) => h('span.tag', {}, tag))) : null]];
  }
}

/** Replaces what a section shows if it is another, and keeps the focus on its summary. */
function updateSection(element, [key, title, content]) {
  const fresh = h('section.panel-section', { 'data-section': key }, h('h3', {}, title), content);
  if (fresh.isEqualNode(element)) return;
  const isHeld = document.activeElement?.tagName === 'SUMMARY' && element.contains(document.activeElement);
  element.replaceChildren(...fresh.childNodes);
  if (isHeld) element.querySelector('summary')?.focus({ preventScroll: true });
}

/**
 * The time since an item was heard last, in words. What was published of it is renewed every five minutes; what its nodes
 * heard since is in the explanation.
 */
function heardText({ location }, answer, now) {
  const heard = Math.max(location.heard ?? 0, ...(answer?.nodes ?? []).map((node) => node.heard ?? 0));
  if (!heard || (location.state === 'present' && now - heard < PUBLISHED_AGAIN)) return '';
  return t('panel.heard', { duration: formatDuration(now - heard) });
}

function readingText(name, value) {
  if (typeof value === 'boolean') return t(value ? 'answer.yes' : 'answer.no');
  const units = { battery_mv: ['V', value / 1000, 2], temperature_c: ['°C', value, 1], humidity_percent: ['%', value, 0], pressure_hpa: ['hPa', value, 0] };
  const [unit, number, digits] = units[name] ?? ['', value, 2];
  return `${formatNumber(number, digits)} ${unit}`.trim();
}
