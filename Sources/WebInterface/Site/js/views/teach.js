import { api } from '../api.js';
import { formatDuration, formatMoment } from '../clock.js';
import { attempt, confirmed, refusalText } from '../components/notice.js';
import { forInstaller } from '../components/installer.js';
import { stacked } from '../components/stacked.js';
import { h, icon, replace, setText } from '../dom.js';
import { allRooms, itemName, roomName } from '../house.js';
import { formatShare, t } from '../i18n.js';
import { preferences } from '../preferences.js';
import { link } from '../router.js';
import { store } from '../store.js';
import { judge } from '../walk.js';
import { walk } from './walk.js';

/** The teach view: the walk, or what was taught so far with what it is worth. */
export function view(scope, [page]) {
  return page === 'walk' ? walk(scope) : overview(scope);
}

function overview(scope) {
  const note = h('p.hint', { role: 'status' }, t('time.loading'));
  const lost = h('div', { hidden: true }, forInstaller([t('teach.notkept.installer')]));
  const rooms = h('div.cards');
  const lessons = h('div.table-wrap', { tabindex: '0', role: 'region', 'aria-label': t('teach.lessons') });
  const total = h('p');
  const kept = preferences.get('walk');
  const element = h('div.page', {},
    h('h1', {}, t('nav.teach')),
    h('p.hint', {}, t('teach.intro')),
    h('div.buttons', {}, api.mayWrite ? h('a.button.primary.big', { href: link('teach', 'walk') }, icon('teach'), kept ? t('teach.resume') : t('teach.begin')) : null,
      h('a.button.big', { href: link('truth') }, icon('check'), t('nav.truth'))),
    api.mayWrite ? null : h('p.hint', {}, t('error.viewer')),
    note, lost, h('h2', {}, t('teach.rooms')), total, rooms, h('h2', {}, t('teach.lessons')), lessons);

  const load = async () => {
    try {
      const answer = await api.lessons();
      setText(note, answer.learning ? t('teach.learning') : answer.kept === false ? t('teach.notkept') : '');
      lost.hidden = answer.kept !== false;
      setText(total, answer.right === undefined ? '' : t('teach.right', { share: formatShare(answer.right) }));
      const named = answer.rooms?.length ? answer.rooms : allRooms().map((room) => ({ id: room.id, seconds: 0 }));
      replace(rooms, named.map(roomCard));
      showLessons(answer);
    } catch (refusal) {
      setText(note, refusalText(refusal));
    }
  };

  const undo = async (lesson) => {
    if (!await confirmed(t('teach.undo.ask', { room: roomName(lesson.room), item: itemName(lesson.item) }), t('teach.undo'))) return;
    if (await attempt(() => api.undoLesson(lesson.id))) load();
  };

  const showLessons = (answer) => {
    const now = store.clock.now();
    const rows = [...(answer.lessons ?? [])].reverse();
    if (!rows.length && !answer.left_out?.length) return replace(lessons, h('p.hint', {}, t('teach.nolessons')));
    replace(lessons, stacked(h('table.table', {},
      h('thead', {}, h('tr', {}, ['room', 'item', 'when', 'length', 'packets', 'note'].map((name) => h('th', { scope: 'col' }, t(`teach.col.${name}`))), h('th', {}, h('span.visually-hidden', {}, t('teach.undo'))))),
      h('tbody', {}, rows.map((lesson) => h('tr', {}, h('td', {}, roomName(lesson.room)), h('td', {}, itemName(lesson.item)), h('td', {}, formatMoment(lesson.taught_at, now)),
        h('td', {}, formatDuration(lesson.seconds)), h('td', {}, String(lesson.packets)), h('td', {}, (lesson.left_out ?? []).join('; ')),
        h('td', {}, api.mayWrite ? h('button.button', { type: 'button', 'aria-label': t('teach.undo.of', { room: roomName(lesson.room) }), on: { click: () => undo(lesson) } }, icon('undo'), t('teach.undo')) : null))),
      (answer.left_out ?? []).map((lesson) => h('tr.muted', {}, h('td', {}, roomName(lesson.room)), h('td', {}, itemName(lesson.item)), h('td', {}, formatMoment(lesson.taught_at, now)), h('td', {}, formatDuration(lesson.seconds)), h('td'), h('td', { lang: 'en' }, lesson.why), h('td')))))));
  };

  scope.every(10_000, load);
  load();
  return { element, follow: () => false };
}

function roomCard(room) {
  const { kind, values } = judge(room);
  const named = values.room ? { room: roomName(values.room) } : {};
  return h('section.card', {},
    h('header', {}, h('h3', {}, roomName(room.id)), h('span.muted', {}, room.seconds ? formatDuration(room.seconds) : t('teach.never'))),
    room.right === undefined ? null : h('div.measure', {}, h('span.bar', { 'aria-hidden': 'true', style: { '--share': String(room.right) } }), h('span.number', {}, t('teach.share', { share: formatShare(room.right) }))),
    h('p', {}, t(values.room || (kind !== 'longer' && kind !== 'alike') ? `teach.judge.${kind}` : 'teach.judge.weak', named)),
    api.mayWrite ? h('a.button', { href: link('teach', 'walk') }, icon('teach'), t('teach.room', { room: roomName(room.id) })) : null);
}
