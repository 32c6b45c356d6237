import { send } from '../api.js';
import { formatMoment } from '../clock.js';
import { h, loadStyle, replace } from '../dom.js';
import { formatList, formatShare, loadTexts, t } from '../i18n.js';
import { link } from '../router.js';
import { store } from '../store.js';

await Promise.all([loadTexts('sites'), loadStyle('sites')]);

/** Milliseconds of rest after a key before the other sites are asked. */
const REST = 300;
let round = 0;

const place = h('section.elsewhere', {});

/** Shows at the top of the live view's side what a text finds at other sites; nothing for a text without words. */
export async function show(side, text) {
  const own = round += 1;
  const words = text.trim();
  if (!words) return place.remove();
  await new Promise((resolve) => { setTimeout(resolve, REST); });
  if (own !== round) return;
  const answer = await send('GET', `api/sites/items?find=${encodeURIComponent(words)}`, { patience: 15_000 });
  const { items, more, incomplete } = await answer.json();
  if (own !== round) return;
  const now = store.clock.now();
  const none = incomplete.length ? t('sites.found.none.searched') : t('sites.found.none');
  replace(place, h('h2', {}, t('sites.found')),
    items.length ? h('ul.plain-list', {}, items.map((item) => row(item, now))) : h('p.hint', { role: 'status' }, none),
    incomplete.length ? h('p.hint', {}, t('sites.found.incomplete', { sites: formatList(incomplete) })) : '',
    more ? h('p.hint', {}, t('sites.found.more')) : '',
    h('a', { href: link('sites') }, t('sites.all')));
  side.prepend(place);
}

function row(item, now) {
  const name = item.name ?? item.id;
  const where = item.room ?? t(`state.${item.state}`);
  const sure = item.room && item.confidence < 0.7 ? ` · ${t('sites.sure', { share: formatShare(item.confidence) })}` : '';
  const since = item.since ? ` · ${t('sites.from', { moment: formatMoment(item.since, now) })}` : '';
  return h('li.found-item', {},
    item.page ? h('a.strong', { href: `${item.page}${link('live', item.id)}`, rel: 'noopener', target: '_blank' }, name) : h('span.strong', {}, name),
    h('span.muted', {}, `${item.site_name} · ${where}${since}${sure}`));
}
