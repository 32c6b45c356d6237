import { api } from '../api.js';
import { h, icon } from '../dom.js';
import { currentLanguage, LANGUAGES, t } from '../i18n.js';
import { applyTheme, preferences } from '../preferences.js';
import { link } from '../router.js';
import { illNodes, makeBadge, openAlerts, PRODUCT } from '../shell.js';
import { store } from '../store.js';

const LINKS = ['plan', 'nodes', 'alerts', 'kiosk', 'start'];

/** The number that the navigation shows beside a view; nothing for none. */
function badgeOf(name) {
  const counts = { nodes: illNodes, alerts: openAlerts };
  return counts[name] ? makeBadge(counts[name](), `nav.badge.${name}`) : null;
}

/** The settings of seldom use: theme, language, the session; and links to views that a phone's bar has no room for. */
export function view() {
  const themes = h('div.segments', { role: 'group', 'aria-labelledby': 'theme-label' }, ['auto', 'light', 'dark'].map((name) => h('button.segment', {
    type: 'button', 'aria-pressed': String((preferences.get('theme') ?? 'auto') === name), on: { click: (event) => {
      preferences.set('theme', name);
      applyTheme();
      for (const button of themes.children) button.setAttribute('aria-pressed', String(button === event.currentTarget));
    } } }, t(`more.theme.${name}`))));
  const language = h('select.field', { id: 'language', on: { change: () => {
    preferences.set('language', language.value);
    location.reload();
  } } }, Object.entries(LANGUAGES).map(([tag, name]) => h('option', { value: tag, lang: tag, selected: tag === currentLanguage() }, name)));
  return { element: h('div.page.narrow', {}, h('h1', {}, t('nav.more')),
    h('ul.big-list', {}, [...(store.house.sites ? ['sites'] : []), ...LINKS].map((name) => h('li', {}, h('a.big-choice', { href: link(name) }, icon(name === 'sites' ? 'live' : name), h('span', {}, t(`nav.${name}`)), badgeOf(name), icon('next'))))),
    h('div.form', {}, h('div.row', {}, h('span.label', { id: 'theme-label' }, t('more.theme')), themes), h('div.row', {}, h('label', { for: 'language' }, t('more.language')), language)),
    h('p.muted', {}, t('more.role', { role: t(`more.role.${api.session?.role ?? 'viewer'}`) })),
    h('div.buttons', {}, api.mayAdminister ? h('a.button', { href: 'api/audit/audit.csv', download: '' }, t('more.audit')) : '', h('button.button', { type: 'button', on: { click: () => dispatchEvent(new Event('sign-out')) } }, icon('signout'), t('more.signout'))),
    h('section.about', {}, h('img', { src: 'icon.svg', alt: '', width: '40', height: '40' }), h('div', {}, h('h2', {}, PRODUCT), h('p', {}, t('more.about')),
      store.house.version ? h('p.muted', {}, t('more.version', { fuser: store.house.fuser, version: store.house.version })) : null))) };
}
