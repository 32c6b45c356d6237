import { api } from '../api.js';
import { formatDuration } from '../clock.js';
import { makeItemChoice } from '../components/item-choice.js';
import { attempt, notify } from '../components/notice.js';
import { Ring } from '../components/ring.js';
import { makeFace } from '../components/token.js';
import { h, icon, reconcile, replace, setText } from '../dom.js';
import { allRooms, itemName, nodeRoom, roomBeside, roomName } from '../house.js';
import { formatNumber, t } from '../i18n.js';
import { keepAwake } from '../keep-awake.js';
import { preferences } from '../preferences.js';
import { go } from '../router.js';
import { store } from '../store.js';
import { Stream } from '../stream.js';
import { doubtfulRoom, loudness, nextRoom } from '../walk.js';

const LENGTHS = [30, 60, 180];

/**
 * The teaching walk: item, room, a ring that fills, the next room. Where it stands is kept in the browser, and the
 * lesson itself by the server, so that a reload or a lost connection costs nothing.
 */
export function walk(scope) {
  const element = h('div.page.walk');
  const state = { stage: 'item', length: 60, ...preferences.get('walk') };
  let rooms = [];
  let levels = null;
  let leave = () => {};

  const keep = () => preferences.set('walk', { ...state });
  const stage = (name, more = {}) => {
    leave();
    leave = () => {};
    Object.assign(state, more, { stage: name });
    keep();
    replace(element, header(), { item: chooseItem, room: chooseRoom, lesson: teach, done: done }[name]());
    element.querySelector('h1')?.focus();
  };

  const header = () => h('div.walk-top', {},
    h('button.icon-button', { type: 'button', 'aria-label': t('action.back'), on: { click: () => (state.stage === 'room' ? stage('item') : go('teach')) } }, icon('back')),
    state.item && state.stage !== 'item' ? h('span.walk-item', {}, makeFace(state.item), itemName(state.item)) : null);

  function chooseItem() {
    const choose = (id) => {
      stopLevels();
      stage('room', { item: id, walk: `page-${Date.now().toString(36)}`, room: null });
    };
    return [h('h1', { tabindex: '-1' }, t('walk.item')), h('p.hint', {}, t('walk.item.hint')), makeItemChoice(scope, choose)];
  }

  function chooseRoom() {
    const list = h('div.big-list');
    const lengths = h('div.segments', { role: 'group', 'aria-label': t('walk.length') }, LENGTHS.map((seconds) => h('button.segment', {
      type: 'button', 'aria-pressed': String(seconds === state.length), on: { click: (event) => {
        state.length = seconds;
        keep();
        for (const button of lengths.children) button.setAttribute('aria-pressed', String(button === event.currentTarget));
      } } }, formatDuration(seconds))));
    const show = () => {
      const next = suggested();
      const taught = new Map(rooms.map((room) => [room.id, room.seconds]));
      replace(list, allRooms().map(({ id }) => h('button.big-choice', { type: 'button', on: { click: () => begin(id) } },
        h('span', {}, roomName(id)), id === next ? h('span.tag.good', {}, t('walk.suggested')) : null,
        h('span.muted', {}, taught.get(id) ? formatDuration(taught.get(id)) : t('teach.never')))));
    };
    show();
    loadRooms().then(show);
    return [h('h1', { tabindex: '-1' }, t('walk.room')), h('p.hint', {}, t('walk.room.hint')), lengths, list];
  }

  /** The room to teach next, the same at the end of a lesson and in the list; null for none, undefined while that is not known. */
  function suggested() {
    return rooms.length ? nextRoom(rooms, state.room) : undefined;
  }

  async function loadRooms() {
    try {
      rooms = (await api.lessons()).rooms ?? [];
    } catch {
      // Without the list no room is suggested.
    }
  }

  async function begin(room) {
    const started = await attempt(async () => {
      try {
        await api.teach(state.item, room, state.length, state.walk);
      } catch (refusal) {
        if (refusal.status !== 409) throw refusal;
        const lesson = await api.lesson(state.item);
        if (!lesson?.running) throw refusal;
        room = lesson.room;
      }
    });
    if (started) stage('lesson', { room, begun: Date.now(), confirmed: false });
  }

  function teach() {
    const ring = new Ring();
    const note = h('p.walk-note', { role: 'status' });
    const bars = h('ul.level-bars');
    let heard = { seconds: 0, at: Date.now(), limit: state.length };
    let ended = false;
    startLevels();
    const draw = () => {
      const waited = (Date.now() - heard.at) / 1000;
      const seconds = Math.min(heard.limit, heard.seconds + (waited < 3 ? 0 : waited));
      ring.show(seconds / heard.limit, formatDuration(Math.max(0, heard.limit - seconds)), t('walk.left'));
      showLevels(bars, store.levels.get(state.item)?.nodes ?? Object.fromEntries((heard.nodes ?? []).map((node) => [node.node, node.level])));
    };
    const ask = async () => {
      let lesson;
      try {
        lesson = await api.lesson(state.item);
      } catch {
        setText(note, t('walk.lost'));
        return;
      }
      if (ended) return;
      if (lesson?.running) {
        heard = { ...lesson, at: Date.now() };
        setText(note, lesson.seconds > 8 && lesson.packets < 5 ? t('walk.nothing') : '');
      } else if (lesson || Date.now() - state.begun > 3000) {
        if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
        stage('done', { lesson: lesson ?? null });
      }
    };
    const end = async (discard) => {
      let lesson = null;
      if (!await attempt(async () => { lesson = await api.endLesson(state.item, discard); })) return;
      if (discard) stage('room');
      else stage('done', { lesson });
    };
    const timers = [setInterval(draw, 250), setInterval(ask, 1000)];
    const wake = keepAwake();
    leave = () => {
      ended = true;
      timers.forEach(clearInterval);
      wake();
    };
    ask();
    draw();
    return [h('h1', { tabindex: '-1' }, t('walk.teaching', { room: roomName(state.room) })), h('p.hint', {}, t('walk.teaching.hint')), ring.element, note,
      h('div.walk-buttons', {}, h('button.button.big.primary', { type: 'button', on: { click: () => end(false) } }, t('walk.stop')), h('button.button.big', { type: 'button', on: { click: () => end(true) } }, t('walk.discard'))),
      h('h2.level-title', {}, t('walk.levels')), bars];
  }

  function done() {
    const { lesson } = state;
    const other = lesson?.id && !state.confirmed ? doubtfulRoom((lesson.nodes ?? []).map(({ node, level }) => ({ room: nodeRoom(node), level })), state.room) : null;
    const heardBy = lesson?.nodes?.length ? [h('h2.level-title', {}, t('walk.heardby')), showLevels(h('ul.level-bars'), Object.fromEntries(lesson.nodes.map((node) => [node.node, node.level])))] : null;
    const takeBack = async () => {
      if (!await attempt(() => api.undoLesson(lesson.id))) return;
      notify(t('walk.undone'));
      stage('room');
    };
    const title = (text) => h('h1', { tabindex: '-1' }, text);
    const [room, kept] = [roomName(state.room), lesson?.id ? t('walk.kept', { room: roomName(state.room), duration: formatDuration(lesson.seconds) }) : t('walk.notkept')];
    // Ask before anything else if the lesson counts.
    if (other) {
      return [title(t('walk.doubtful', { room })), h('p.advice', {}, icon('warning'), t('walk.doubt', { room, other: roomName(other) })), heardBy,
        h('div.walk-buttons.pair', {}, h('button.button.big', { type: 'button', on: { click: () => stage('done', { confirmed: true }) } }, t('walk.doubt.yes')),
          h('button.button.big', { type: 'button', on: { click: takeBack } }, t('walk.doubt.no')))];
    }
    const place = h('div.walk-buttons');
    const show = () => {
      const next = suggested();
      replace(place, next ? h('button.button.big.primary', { type: 'button', on: { click: () => begin(next) } }, t('walk.next', { room: roomName(next) })) : next === null ? h('p.done-all', {}, icon('check'), t('walk.all')) : null,
        h('button.button.big', { type: 'button', on: { click: () => stage('room') } }, t('walk.another')),
        h('button.button.big', { type: 'button', on: { click: finish } }, t('walk.finish')),
        lesson?.id ? h('button.link', { type: 'button', on: { click: takeBack } }, t('walk.undo')) : null);
    };
    rooms = [];
    show();
    loadRooms().then(show);
    return [title(lesson?.id ? t('walk.done') : t('walk.ended')), h('p', {}, kept), heardBy, place];
  }

  function finish() {
    leave();
    preferences.set('walk', null);
    go('teach');
  }

  function startLevels() {
    if (levels) return;
    levels = new Stream({ changes: (list) => store.apply(list) }, [`levels/${state.item}`]);
    levels.open();
  }

  function stopLevels() {
    levels?.close();
    levels = null;
  }

  scope.add(() => {
    leave();
    stopLevels();
  });
  stage(state.item ? state.stage : 'item');
  return { element, follow: ([page]) => page === 'walk', shown: () => element.querySelector('h1')?.focus() };
}

function showLevels(list, nodes) {
  const entries = Object.entries(nodes).sort((a, b) => a[0].localeCompare(b[0]));
  reconcile(list, entries, ([node]) => node, ([node]) => h('li', {}, h('span.level-name', {}, node, h('span.muted', {}, ` ${roomBeside(node)}`)), h('span.bar', { 'aria-hidden': 'true' }), h('span.number')), (row, [, level]) => {
    row.children[1].style.setProperty('--share', String(loudness(level)));
    setText(row.children[2], `${formatNumber(level)} dBm`);
  });
  return list;
}
