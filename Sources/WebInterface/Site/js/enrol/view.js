import { api } from '../api.js';
import { attempt } from '../components/notice.js';
import { h, icon, loadStyle, reconcile, replace, setText } from '../dom.js';
import { Hold, inHeldOrder } from '../hold.js';
import { compareNames, roomBeside } from '../house.js';
import { counted, formatNumber, loadTexts, t } from '../i18n.js';
import { kindOf } from '../registry.js';
import { go, link } from '../router.js';
import { store } from '../store.js';
import { Stream } from '../stream.js';
import { entryOf, isClear, keepFound, nearness } from './nearby.js';

await loadTexts('enrol');

/** Enrolment: a person holds a tag to a node, sees what is near it, the loudest first, and says which one it is. */
export function view(scope, parameters) {
  loadStyle('registry');
  const element = h('div.page.walk');
  let leave = () => {};
  const show = ([node]) => {
    leave();
    leave = () => {};
    const back = h('div.walk-top', {}, h('a.icon-button', { href: node ? link('enrol') : link('items', '+'), 'aria-label': t('action.back') }, icon('back')));
    replace(element, back, !api.mayWrite ? [h('h1', { tabindex: '-1' }, t('nav.enrol')), h('p.hint', {}, t('error.viewer'))] : node ? listen(node) : choose());
    element.querySelector('h1')?.focus();
  };

  function choose() {
    const list = h('div.big-list');
    const none = h('p.hint', { role: 'status' });
    const draw = () => {
      const nodes = [...store.nodes.values()].filter((node) => node.status === 'online').map((node) => node.id).sort(compareNames);
      setText(none, nodes.length ? '' : t('enrol.nonode'));
      reconcile(list, nodes, (id) => id, (id) => h('a.big-choice', { href: link('enrol', id) }, icon('nodes'), h('span', {}, id), h('span.muted', {}, roomBeside(id)), icon('next')));
    };
    draw();
    leave = store.watch((changes) => { if (changes.nodes.size || changes.house) draw(); });
    return [h('h1', { tabindex: '-1' }, t('nav.enrol')), h('p.hint', {}, t('enrol.hint')), h('h2', {}, t('enrol.node')), none, list];
  }

  function listen(node) {
    const note = h('p.hint', { role: 'status' }, t('enrol.listening'));
    const left = h('p.enrol-left', { 'aria-hidden': 'true' });
    const list = h('ul.enrol-list');
    const others = h('div.enrol-others');
    const again = h('div.buttons', { hidden: true }, h('button.button.primary.big', { type: 'button', on: { click: () => begin() } }, icon('redo'), t('enrol.again')),
      h('a.button.big', { href: link('items', '+') }, icon('plus'), t('start.item.form')));
    const hold = new Hold(scope, list, () => {});
    let until = 0;
    const draw = (topic) => {
      if (!topic) return end();
      until = topic.until;
      setText(note, topic.fault ?? (topic.beacons.length ? isClear(topic.beacons) ? t('enrol.clear') : t('enrol.closer') : t('enrol.listening')));
      drawList(list, hold.active ? inHeldOrder([...list.children].map((row) => row.beacon.id), topic.beacons, (beacon) => beacon.id) : topic.beacons, isClear(topic.beacons) && topic.beacons[0]);
      drawOthers(others, topic.others);
    };
    const tick = () => setText(left, until ? counted('enrol.left', Math.max(0, Math.round(until - store.clock.now()))) : '');
    const end = () => {
      if (!until) return;
      until = 0;
      again.hidden = false;
      setText(note, t(list.children.length ? 'enrol.over' : 'enrol.nothing'));
      tick();
    };
    const begin = async () => {
      again.hidden = true;
      setText(note, t('enrol.listening'));
      const done = await attempt(async () => { until = (await api.enrol(node)).until; });
      again.hidden = done;
      if (!done) setText(note, '');
    };
    const topic = `enrolment/${node}`;
    const stream = new Stream({ changes: (changes) => { for (const [name, payload] of changes) if (name === topic) draw(payload); } }, [topic]);
    const timer = setInterval(tick, 1000);
    stream.open();
    begin();
    leave = () => {
      stream.close();
      clearInterval(timer);
      if (until) api.endEnrolment(node).catch(() => {});
    };
    return [h('h1', { tabindex: '-1' }, t('enrol.hold', { node })), note, left, list, again, others];
  }

  scope.add(() => leave());
  show(parameters);
  return {
    element,
    follow(next) {
      show(next);
      return true;
    },
    shown: () => element.querySelector('h1')?.focus(),
  };
}

/** Shows beacons in their order; `clear` is the one that is meant for sure, if there is one. */
function drawList(list, beacons, clear) {
  reconcile(list, beacons, (beacon) => beacon.id, makeRow, (row, beacon) => {
    row.beacon = beacon;
    row.classList.toggle('clear', beacon === clear);
    const [title, level, , bar] = row.children;
    setText(title, titleOf(beacon));
    setText(level, `${formatNumber(beacon.level)} dBm`);
    bar.style.setProperty('--share', String(nearness(beacon.level)));
  });
}

function makeRow(beacon) {
  const row = h('li.enrol-row', {},
    h('strong'), h('span.number.muted'), h('code.muted', {}, identityOf(beacon.entry)), h('span.bar', { 'aria-hidden': 'true' }),
    h('button.button', { type: 'button', 'aria-label': t('enrol.this.of', { name: titleOf(beacon) }), on: { click: () => take(row.beacon) } }, icon('check'), t('enrol.this')));
  return row;
}

/** A beacon's name, else its class, else the kind of its identity. */
function titleOf(beacon) {
  const kind = kindOf(beacon.entry);
  return beacon.name ?? beacon.title ?? (kind ? t(`kind.${kind}`) : beacon.id);
}

function identityOf(entry) {
  const identity = entry[kindOf(entry)];
  return typeof identity === 'object' ? Object.values(identity).join(' · ') : identity;
}

function take(beacon) {
  keepFound(entryOf(beacon));
  go('items', '+');
}

function drawOthers(place, others) {
  replace(place, others.length ? h('details', {}, h('summary', {}, t('enrol.others')), h('p.hint', {}, t('enrol.others.hint')),
    h('ul.plain-list', {}, others.map((other) => h('li', {}, other.title ?? t('enrol.changing'), ' ', h('span.muted', {}, `${counted('enrol.addresses', other.addresses)} · ${formatNumber(other.level)} dBm`))))) : null);
}
