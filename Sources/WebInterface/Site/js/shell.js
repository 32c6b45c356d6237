import { api } from './api.js';
import { makeConnection } from './components/connection.js';
import { h, icon, setText } from './dom.js';
import { counted, t } from './i18n.js';
import { link } from './router.js';
import { store } from './store.js';
import { findings } from './diagnosis.js';
import { throttled } from './scope.js';

/** The name of the product, the same in all languages. */
export const PRODUCT = 'Whereabouts';

/** Views of the navigation, in its order. On a phone those that are not `first` lie behind "More". */
const ENTRIES = [
  { name: 'live', first: true },
  { name: 'time', first: true },
  { name: 'teach', first: true },
  { name: 'items', first: true },
  { name: 'nodes' },
  { name: 'alerts' },
  { name: 'more', first: true },
];

/** Makes the frame of all views: navigation, connection, and the place of the view. It lives as long as `scope`. */
export function makeShell(scope) {
  const main = h('main', { id: 'main', tabindex: '-1' });
  const houseName = h('span.house-name');
  const links = new Map();
  for (const { name, first } of ENTRIES) {
    const badge = h('span.badge', { hidden: true });
    links.set(name, h(first ? 'a.nav-link.first' : 'a.nav-link', { href: link(name) }, icon(name), h('span.nav-text', {}, t(`nav.${name}`)), badge));
  }
  const skip = h('button.skip', { type: 'button', on: { click: () => main.focus() } }, t('nav.skip'));
  const connection = makeConnection(scope);
  const element = h('div.shell', {},
    h('header.side', {}, skip, h('a.brand', { href: link('live') }, h('img', { src: 'icon.svg', alt: '', width: '28', height: '28' }), h('span.brand-text', {}, h('span.product', {}, PRODUCT), houseName)),
      h('nav', { 'aria-label': t('nav.label') }, [...links.values()]), connection.element),
    main);
  const count = throttled(1000, () => {
    const [alerts, ill] = [openAlerts(), illNodes()];
    setBadge(links.get('alerts').lastChild, alerts, 'nav.badge.alerts');
    setBadge(links.get('nodes').lastChild, ill, 'nav.badge.nodes');
    setBadge(links.get('more').lastChild, alerts + ill, 'nav.badge.more');
  });
  scope.add(store.watch((changes) => {
    if (changes.house) setText(houseName, store.house.name ?? '');
    if (changes.items.size || changes.nodes.size || changes.house) count();
  }));
  setText(houseName, store.house.name ?? '');
  document.body.classList.toggle('may-write', api.mayWrite);
  return {
    element,
    main,
    /** Marks the view that is shown. */
    show(name) {
      document.body.classList.toggle('kiosk', name === 'kiosk');
      const group = { start: 'more', plan: 'more', sites: 'more', day: 'time', truth: 'teach', import: 'items', enrol: 'items' }[name] ?? name;
      for (const [entry, anchor] of links) {
        if (entry === group) anchor.setAttribute('aria-current', 'page');
        else anchor.removeAttribute('aria-current');
      }
    },
  };
}

/** The number of items of which an alert stands. */
export function openAlerts() {
  return [...store.items.values()].filter((record) => record.alert).length;
}

/** The number of nodes that something grave is wrong with. */
export function illNodes() {
  return [...store.nodes.values()].filter((node) => findings(node, store.clock.now()).some((finding) => finding.grave)).length;
}

/** A badge with a number, hidden for none; `key` is its text for screen readers. */
export function makeBadge(number, key) {
  const badge = h('span.badge');
  setBadge(badge, number, key);
  return badge;
}

function setBadge(badge, number, key) {
  badge.hidden = number === 0;
  if (badge.dataset.number === String(number)) return;
  badge.dataset.number = String(number);
  badge.replaceChildren(h('span', { 'aria-hidden': 'true' }, number > 99 ? '99+' : String(number)), h('span.visually-hidden', {}, counted(key, number)));
}
