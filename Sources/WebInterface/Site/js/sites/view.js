import { send } from '../api.js';
import { formatDuration, formatMoment } from '../clock.js';
import { refusalText } from '../components/notice.js';
import { h, icon, loadStyle, reconcile, setText } from '../dom.js';
import { compareNames } from '../house.js';
import { counted, formatList, formatNumber, loadTexts, t } from '../i18n.js';
import { link } from '../router.js';

await loadTexts('sites');

const LOOKS = { online: 'good', silent: 'warn', connecting: 'warn', unreachable: 'bad' };
const RANKS = ['unreachable', 'silent', 'connecting', 'online'];

/** The sites view: a card for each other house, those with a problem first. */
export function view(scope) {
  loadStyle('sites');
  const summary = h('p.hint', { role: 'status' });
  const cards = h('div.cards');
  let over = false;
  scope.add(() => { over = true; });
  const refresh = async () => {
    try {
      const answer = await send('GET', 'api/sites', { patience: 15_000 });
      const { at, sites } = await answer.json();
      if (over) return;
      sites.sort((a, b) => RANKS.indexOf(a.status) - RANKS.indexOf(b.status) || compareNames(a.name, b.name));
      setText(summary, t('sites.summary', { n: formatNumber(sites.filter((site) => site.status === 'online').length), all: formatNumber(sites.length) }));
      reconcile(cards, sites, (site) => site.id, makeCard, (card, site) => updateCard(card, site, at));
    } catch (refusal) {
      if (refusal.status === undefined) throw refusal;
      setText(summary, refusalText(refusal));
    }
  };
  scope.every(3000, refresh);
  refresh();
  return { element: h('div.page', {}, h('h1', {}, t('nav.sites')), summary, cards, h('p.hint', {}, t('sites.hint'), ' ', h('a', { href: link('live') }, t('nav.live')))) };
}

function makeCard(site) {
  return h('section.card.site-card', { 'data-site': site.id }, h('header', {}, h('h2', {}, site.name), h('span.muted'), h('span.tag')), h('p.fault'), h('dl.figures'), h('p.muted'), h('p.hint'),
    site.page ? h('a.button', { href: site.page, rel: 'noopener', target: '_blank' }, t('sites.open'), icon('next')) : '');
}

function updateCard(card, site, now) {
  const [header, fault, figures, last, left] = card.children;
  header.lastChild.className = `tag ${LOOKS[site.status]}`;
  setText(header.lastChild, t(`sites.status.${site.status}`));
  setText(header.children[1], site.status === 'online' ? '' : t('sites.since', { duration: formatDuration(now - site.since) }));
  setText(fault, site.status === 'unreachable' ? t('sites.unreachable', { reason: site.problem ?? '' }) : site.status === 'silent' ? t('sites.silent') : '');
  const known = site.last_message !== undefined;
  figures.hidden = !known;
  reconcile(figures, known ? numbers(site) : [], ([name]) => name, ([name]) => h('div', {}, h('dt', {}, t(`sites.${name}`)), h('dd')), (element, [, text]) => setText(element.lastChild, text));
  setText(last, known ? t('sites.last', { moment: formatMoment(site.last_message, now) }) : '');
  setText(left, leftOut(site.left_out));
}

function numbers(site) {
  const pair = (part, whole) => t('sites.of', { n: formatNumber(part), all: formatNumber(whole) });
  return [
    ['items', pair(site.items_present, site.items)],
    ['persons', pair(site.persons_present, site.persons)],
    ['nodes', pair(site.nodes_online, site.nodes)],
    ['fusers', pair(site.fusers_online, site.fusers)],
    ['alerts', formatNumber(site.alerts)],
  ];
}

function leftOut(counts) {
  const words = ['items', 'names', 'messages', 'unreadable'].filter((kind) => counts[kind]).map((kind) => counted(`sites.left.${kind}`, counts[kind]));
  return words.length ? t('sites.left', { list: formatList(words) }) : '';
}
