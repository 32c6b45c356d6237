import { formatDuration, formatMoment } from '../clock.js';
import { Doctor } from './doctor.js';
import { makeFindings } from './findings.js';
import { LevelMatrix } from './level-matrix.js';
import { h, icon, reconcile, replace, setText } from '../dom.js';
import { findings } from '../diagnosis.js';
import { Hold, inHeldOrder } from '../hold.js';
import { compareNames, itemName, roomBeside } from '../house.js';
import { counted, formatList, formatNumber, formatShare, loadTexts, t } from '../i18n.js';
import { link } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

await loadTexts('nodes');

/** The nodes view: each node with its problems and figures, the ill ones first, and the fusers. */
export function view(scope) {
  const summary = h('p.hint', { role: 'status' });
  const cards = h('div.cards');
  const fusers = h('div.cards');
  const element = h('div.page', {}, h('h1', {}, t('nav.nodes')), summary, cards, new Doctor(scope).element, new LevelMatrix(scope).element, h('h2', {}, t('nodes.fusers')), fusers);
  let order = [];
  const hold = new Hold(scope, cards, () => refresh());
  const refresh = throttled(1000, () => {
    const now = store.clock.now();
    const ids = new Set([...store.nodes.keys(), ...store.house.nodes.map((node) => node.id)]);
    const all = [...ids].map((id) => store.nodes.get(id) ?? { id }).map((node) => ({ node, found: findings(node, now) }));
    all.sort((a, b) => rank(a) - rank(b) || compareNames(a.node.id, b.node.id));
    const list = hold.active ? inHeldOrder(order, all, (entry) => entry.node.id) : all;
    order = list.map((entry) => entry.node.id);
    const ill = list.filter((entry) => entry.found.length).length;
    setText(summary, !list.length ? t('nodes.none') : ill ? counted('nodes.ill', ill, { all: list.length }) : counted('nodes.well', list.length));
    reconcile(cards, list, (entry) => entry.node.id, makeCard, (card, entry) => updateCard(card, entry, now));
    const deciders = [...store.fusers.values()].sort((a, b) => compareNames(a.id, b.id));
    replace(fusers, deciders.length ? deciders.map(fuserCard) : h('p.hint', {}, t('nodes.nofuser')));
  });
  scope.add(store.watch((changes) => { if (changes.nodes.size || changes.fusers.size || changes.house) refresh(); }));
  scope.every(5000, refresh);
  refresh();
  return { element };
}

function rank({ found }) {
  return found.some((finding) => finding.grave) ? 0 : found.length ? 1 : 2;
}

function makeCard({ node }) {
  return h('section.card', {}, h('header', {}, h('h2', {}, node.id), h('span.muted'), h('span.tag')), h('div'), h('dl.figures'), h('details', {}, h('summary', {}, t('nodes.details')), h('dl.facts')));
}

function updateCard(card, { node, found }, now) {
  const [header, problems, figures, details] = card.children;
  const [, room, tag] = header.children;
  setText(room, roomBeside(node.id));
  const state = node.status !== 'online' ? 'offline' : found.some((finding) => finding.grave) ? 'ill' : found.length ? 'look' : 'well';
  tag.className = `tag ${{ offline: 'bad', ill: 'bad', look: 'warn', well: 'good' }[state]}`;
  setText(tag, t(`nodes.state.${state}`));
  const digest = JSON.stringify(found.map(({ kind, values, text }) => [kind, kind === 'silent' ? 0 : values, text]));
  if (problems.dataset.digest !== digest) {
    problems.dataset.digest = digest;
    replace(problems, found.length ? makeFindings(found, node.id) : null);
  }
  const { health, scan, info } = node;
  const online = node.status === 'online';
  figures.hidden = !online;
  const numbers = [
    ['reports', health ? formatNumber(health.reports_per_s, 1) : scan ? formatNumber(scan.reports / Math.max(0.1, scan.to - scan.from), 1) : '–'],
    ['beacons', scan ? formatNumber(scan.beacons) : '–'],
    ['gap', health ? formatShare(health.gap) : '–'],
    ['clock', clockText(node.id)],
  ];
  reconcile(figures, numbers, ([name]) => name, ([name]) => h('div', {}, h('dt', {}, t(`nodes.${name}`)), h('dd')), (element, [, text]) => setText(element.lastChild, text));
  if (details.dataset.version === JSON.stringify(info)) return;
  details.dataset.version = JSON.stringify(info);
  details.hidden = !info;
  if (info) replace(details.lastChild, factsOf(info, now).filter(([, value]) => value).map(([name, value]) => [h('dt', {}, t(`nodes.${name}`)), h('dd', {}, value)]));
}

function clockText(id) {
  const seconds = store.clock.deviation(id);
  if (seconds === null) return '–';
  if (Math.abs(seconds) < 2) return t('nodes.clock.right');
  return t(seconds > 0 ? 'nodes.clock.ahead' : 'nodes.clock.behind', { duration: formatDuration(Math.abs(seconds)) });
}

function factsOf(info, now) {
  const { radio, settings } = info;
  return [
    ['adapter', [info.adapter, info.address].filter(Boolean).join(' · ')],
    ['version', info.version],
    ['features', (info.features ?? []).join(', ')],
    ['started', info.started ? formatMoment(info.started, now) : ''],
    ['window', settings ? t('duration.s', { n: settings.window }) : ''],
    ['offset', settings ? t(settings.overridden?.includes('offset_db') ? 'levels.byset' : 'levels.byfile', { n: formatNumber(settings.offset_db) }) : ''],
    ['overridden', (settings?.overridden ?? []).join(', ')],
    ['radio', radio ? t(`nodes.radio.${radio.state}`) : ''],
    ['rungs', (radio?.rungs ?? []).map((rung) => t('nodes.rung', { name: rung.name, tried: rung.tried, helped: rung.helped })).join('; ')],
    ['missing', formatList((info.missing_keys ?? []).map(itemName))],
    ['simulated', info.clock ? t('nodes.speed', { n: info.clock.speed }) : ''],
  ];
}

function fuserCard(fuser) {
  const role = fuser.status === 'online' ? fuser.claim?.state ?? 'starting' : 'offline';
  const teaching = (fuser.claim?.teaching ?? []).map(itemName);
  return h('section.card', {},
    h('header', {}, h('h3', {}, fuser.id), h('span.muted', {}, fuser.id === store.house.fuser ? t('nodes.thisfuser', { version: store.house.version ?? '' }) : ''),
      h(`span.tag.${{ serving: 'good', standby: 'good', starting: 'warn', offline: 'bad' }[role]}`, {}, t(`nodes.role.${role}`))),
    h('p.muted', {}, t(`nodes.role.${role}.meaning`)),
    teaching.length ? h('p', {}, icon('teach'), ' ', h('a', { href: link('teach') }, t('nodes.teaching', { items: formatList(teaching) }))) : null,
    fuser.claim?.problems?.length ? makeFindings(fuser.claim.problems.map((text) => ({ kind: 'own', grave: true, values: {}, text })), fuser.id) : null);
}
