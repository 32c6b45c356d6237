import { api } from '../api.js';
import { formatDay, formatTime } from '../clock.js';
import { refusalText } from '../components/notice.js';
import { Plan } from '../components/plan.js';
import { h, icon, reconcile, replace, s, setText } from '../dom.js';
import { allRooms, byKindAndName, drawnRooms, isPerson, itemName, roomName } from '../house.js';
import { formatList, t } from '../i18n.js';
import { dayOf, Past } from '../past.js';
import { preferences } from '../preferences.js';
import { go, link } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

/** Seconds of the house in a second of the person's. */
const SPEEDS = [60, 600];
/** Items that are played, and how many histories are asked for at once and in a second. The server takes 20 of all pages. */
const MOST_ITEMS = 100;
const AT_ONCE = 2;
const EAGER = 24;
const PAUSE = 200;
const BINS = 96;
/** Seconds to which the begin of a day is cut that was not known from its begin. */
const ROUND = 600;
const HALF_DAY = 43_200;
const NAMES = 8;
/** The key of those of whom nothing was recorded; no room has it. */
const NO_RECORD = '';

/** Plays a day back on the plan: a slider, and the house at sixty or six hundred times its pace. */
export function view(scope) {
  const past = new Past();
  const plan = new Plan(scope, { source: past, onItem: (id) => go('time', isPerson(id) ? 'person' : 'item', id) });
  let whole = dayOf(store.clock.now(), store.clock.now());
  let span = whole;
  let at = span.from;
  let speed = SPEEDS.includes(preferences.get('day.speed')) ? preferences.get('day.speed') : SPEEDS[1];
  let playing = false;
  let chosen = false;
  let round = 0;
  let frame = 0;

  const day = h('strong.day-name', { role: 'status' });
  const earlier = h('button.segment', { type: 'button', 'aria-label': t('day.before'), on: { click: () => step(-1) } }, icon('back'));
  const later = h('button.segment', { type: 'button', 'aria-label': t('day.after'), on: { click: () => step(1) } }, icon('next'));
  const play = h('button.button.primary', { type: 'button', on: { click: () => (playing ? stop() : start()) } });
  const speeds = h('div.segments', { role: 'group', 'aria-label': t('day.speed') }, SPEEDS.map((factor) => h('button.segment', {
    type: 'button', 'data-factor': String(factor), on: { click: () => {
      speed = factor;
      preferences.set('day.speed', factor);
      markSpeed();
    } } }, `×${factor}`)));
  const slider = h('input.day-slider', { type: 'range', step: '1', 'aria-label': t('day.moment'), on: { input: () => {
    chosen = true;
    show(Number(slider.value));
  } } });
  const moves = s('svg.day-moves', { 'aria-hidden': 'true', viewBox: `0 0 ${BINS} 1`, preserveAspectRatio: 'none' });
  const clock = h('span.day-clock');
  const note = h('p.hint', { role: 'status' });
  const rooms = h('ul.day-rooms');
  const element = h('div.page.day-page', {},
    h('div.toolbar', {}, h('a.icon-button', { href: link('time'), 'aria-label': t('action.back') }, icon('back')), h('h1', {}, t('nav.day')),
      h('div.segments', {}, earlier, later), day, note),
    h('div.day-body', {}, plan.element, rooms),
    h('div.day-controls', {}, play, speeds, h('div.day-track', {}, moves, slider), clock));

  const list = throttled(250, () => {
    const unrecorded = past.unrecorded();
    const shown = [...allRooms().map((room) => room.id), 'away'].filter((id) => past.members.get(id)?.size);
    if (unrecorded.length) shown.push(NO_RECORD);
    reconcile(rooms, shown, (id) => id, () => h('li', {}, h('strong'), h('span')), (row, id) => {
      const ids = [...(id === NO_RECORD ? unrecorded : past.members.get(id))].sort(byKindAndName);
      setText(row.firstChild, id === NO_RECORD ? t('time.norecord') : roomName(id));
      setText(row.lastChild, formatList([...ids.slice(0, NAMES).map(itemName), ...(ids.length > NAMES ? [t('live.more', { n: ids.length - NAMES })] : [])]));
      row.classList.toggle('muted', id === NO_RECORD);
    });
  });

  function show(moment) {
    at = Math.min(span.to, Math.max(span.from, moment));
    slider.value = String(at);
    slider.setAttribute('aria-valuetext', formatTime(at));
    setText(clock, formatTime(at, true));
    past.seek(at);
    list();
  }

  function start() {
    playing = true;
    if (at >= span.to) show(span.from);
    mark();
    let last = 0;
    const tick = (stamp) => {
      if (last) show(at + ((stamp - last) / 1000) * speed);
      last = stamp;
      if (at >= span.to) stop();
      else frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  }

  function stop() {
    playing = false;
    cancelAnimationFrame(frame);
    mark();
  }

  function mark() {
    replace(play, icon(playing ? 'pause' : 'play'), t(playing ? 'day.pause' : 'day.play'));
  }

  function markSpeed() {
    for (const button of speeds.children) button.setAttribute('aria-pressed', String(Number(button.dataset.factor) === speed));
  }

  function step(days) {
    const now = store.clock.now();
    const middle = whole.from + HALF_DAY + days * 2 * HALF_DAY;
    if (middle - HALF_DAY > now) return;
    whole = dayOf(middle, now);
    open();
  }

  function open() {
    stop();
    span = whole;
    const now = store.clock.now();
    setText(day, formatDay(span.from));
    later.disabled = span.to >= now - 1;
    slider.min = String(span.from);
    slider.max = String(span.to);
    chosen = false;
    past.clear();
    replace(moves);
    show(span.from);
    load();
  }

  async function load() {
    const own = round += 1;
    const all = [...store.items.values()].filter((record) => record.location).map((record) => record.id).sort(byKindAndName);
    const ids = all.slice(0, MOST_ITEMS);
    for (let index = 0; index < ids.length; index += AT_ONCE) {
      setText(note, t('day.loading', { n: index, all: ids.length }));
      try {
        await Promise.all(ids.slice(index, index + AT_ONCE).map(async (id) => {
          const { visits } = await api.history(id, span.from, span.to);
          if (own === round) past.add(id, visits);
        }));
      } catch (refusal) {
        if (refusal.status === undefined) throw refusal;
        if (own === round) setText(note, refusalText(refusal));
        return;
      }
      if (index >= EAGER) await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
      if (own !== round) return;
    }
    span = { from: Math.max(whole.from, Math.floor(past.begin() / ROUND) * ROUND), to: whole.to };
    slider.min = String(span.from);
    const found = past.moves(span);
    setText(note, !found.length && !past.items.size ? t('time.empty') : all.length > ids.length ? t('time.leftout', { n: all.length - ids.length }) : '');
    drawMoves(found);
    show(chosen || playing || !found.length ? at : Math.min(...found));
    list();
  }

  /** Bars that show when there was much going on. */
  function drawMoves(found) {
    const counts = new Array(BINS).fill(0);
    const length = span.to - span.from;
    for (const moment of found) counts[Math.min(BINS - 1, Math.floor(((moment - span.from) / length) * BINS))] += 1;
    const most = Math.max(1, ...counts);
    replace(moves, counts.map((count, index) => (count ? s('rect', { x: index + 0.1, y: 1 - Math.sqrt(count / most), width: 0.8, height: Math.sqrt(count / most) }) : null)));
  }

  let begun = false;
  const begin = () => {
    if (begun || !store.complete) return;
    begun = true;
    element.classList.toggle('without-plan', drawnRooms().length === 0);
    whole = dayOf(store.clock.now(), store.clock.now());
    plan.draw();
    open();
  };
  scope.add(store.watch(begin));
  scope.add(() => {
    round = -1;
    cancelAnimationFrame(frame);
  });
  markSpeed();
  mark();
  return { element, follow: () => true, shown: begin };
}
