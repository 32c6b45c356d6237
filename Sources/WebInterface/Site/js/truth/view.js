import { api } from '../api.js';
import { formatDuration } from '../clock.js';
import { makeItemChoice } from '../components/item-choice.js';
import { attempt, confirmed, notify, refusalText } from '../components/notice.js';
import { Timeline } from '../components/timeline.js';
import { makeFace } from '../components/token.js';
import { h, icon, loadStyle, replace, setText } from '../dom.js';
import { allRooms, hueOfRoom, itemName, roomName } from '../house.js';
import { counted, formatNumber, formatShare, loadTexts, t } from '../i18n.js';
import { keepAwake } from '../keep-awake.js';
import { preferences } from '../preferences.js';
import { go, link } from '../router.js';
import { store } from '../store.js';
import { MarkQueue } from './queue.js';
import { adviceFor, isShort, staysOf, verdictsOf, worstPair } from './result.js';

await loadTexts('truth');

const PAUSE = 2000;
const queue = new MarkQueue((item, room, ago) => api.markTruth(item, room, ago));

/**
 * The check of the answers: a person carries an item and taps each room that they come to; the fuser measures its answers
 * by that. Where it stands is kept in the browser, and the marks by the fuser.
 */
export function view(scope) {
  const element = h('div.page.walk.truth');
  const state = { stage: 'item', ...preferences.get('truth') };
  let leave = () => {};
  loadStyle('truth');

  const stage = (name, more = {}) => {
    leave();
    leave = () => {};
    Object.assign(state, more, { stage: name });
    preferences.set('truth', { ...state });
    element.classList.toggle('walk', name !== 'result');
    replace(element, header(name), { item: chooseItem, walk, result }[name]());
    element.querySelector('h1')?.focus();
  };

  const header = (name) => h('div.walk-top', {},
    h('button.icon-button', { type: 'button', 'aria-label': t('action.back'), on: { click: () => (name === 'item' ? go('teach') : stage('item')) } }, icon('back')),
    name === 'item' ? null : h('span.walk-item', {}, makeFace(state.item), itemName(state.item)));

  function chooseItem() {
    return [h('h1', { tabindex: '-1' }, t('nav.truth')), h('p.hint', {}, t('truth.hint')), h('h2', {}, t('walk.item')),
      makeItemChoice(scope, (id) => stage('walk', { item: id, room: null, begun: null }))];
  }

  function walk() {
    const compare = makeCompare();
    const figures = makeFigures(['accuracy', 'settled', 'lag', 'flaps']);
    const note = h('p.walk-note', { role: 'status' });
    const rooms = h('div.room-buttons', { role: 'group', 'aria-label': t('truth.where') }, allRooms().map((room) =>
      h('button.big-choice', { type: 'button', 'aria-pressed': 'false', 'data-room': room.id, on: { click: () => mark(room.id) } }, h('span', {}, roomName(room.id)), icon('check'))));
    const end = h('button.button.big.primary', { type: 'button', on: { click: finish } }, t('truth.end'));
    const draw = () => {
      compare.show(state.room, store.items.get(state.item)?.location);
      for (const button of rooms.children) button.setAttribute('aria-pressed', String(button.dataset.room === state.room));
      setText(note, queue.count ? counted('truth.waiting', queue.count) : '');
      end.disabled = !state.room;
    };
    const show = (report) => {
      if (!report) return;
      // A walk that another browser, or this one before a reload, began goes on.
      if (!queue.count && report.walk?.open) state.room = report.marks.at(-1).room;
      figures.show(state.room ? report.score : null);
      draw();
    };
    const send = async () => {
      const { answer, refusal } = await queue.flush();
      if (refusal) notify(refusalText(refusal), true);
      if (refusal && refusal.status !== 422) state.room = null;
      show(answer);
      draw();
    };
    const mark = (room) => {
      queue.add(state.item, room);
      state.room = room;
      preferences.set('truth', { ...state });
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
      draw();
      return send();
    };
    const poll = async () => {
      if (queue.count) return send();
      try {
        show(await api.truth(state.item));
      } catch (refusal) {
        if (refusal.status === 404) notify(refusalText(refusal), true);
      }
    };
    async function finish() {
      await mark(null);
      stage('result');
    }
    const wake = keepAwake();
    const timer = setInterval(poll, PAUSE);
    const unwatch = store.watch((changes) => { if (changes.items.has(state.item) || changes.house) draw(); });
    addEventListener('online', poll);
    leave = () => {
      clearInterval(timer);
      removeEventListener('online', poll);
      unwatch();
      wake();
    };
    poll();
    draw();
    return [h('h1', { tabindex: '-1' }, t('truth.where')), h('p.hint', {}, t('truth.where.hint')), compare.element, rooms, note, figures.element, h('div.walk-buttons', {}, end)];
  }

  function result() {
    const note = h('p.hint', { role: 'status' }, t('time.loading'));
    const place = h('div.truth-result');
    const title = h('h1', { tabindex: '-1' }, t('truth.result'));
    let alive = true;
    let timer = 0;
    const load = async () => {
      try {
        await queue.flush();
        if (queue.count) throw Object.assign(new Error(), { status: 0 });
        const report = await api.truth(state.item);
        const visits = report.walk ? (await api.history(state.item, report.walk.from, report.walk.to)).visits : [];
        if (alive) show(report, visits);
      } catch (refusal) {
        if (refusal.status === undefined) throw refusal;
        if (!alive) return;
        setText(note, queue.count ? counted('truth.waiting', queue.count) : refusalText(refusal));
        timer = setTimeout(load, PAUSE);
      }
    };
    const show = (report, visits) => {
      setText(note, report.score?.seconds ? '' : t('truth.empty'));
      if (!report.score?.seconds) return;
      const { score, walk: { from, to } } = report;
      const stays = staysOf(report.marks, { from, to });
      setText(title, t(isShort(score) ? 'truth.title.short' : 'truth.title', { share: formatShare(score.accuracy), duration: formatDuration(score.seconds) }));
      const worst = worstPair(stays, visits, to);
      const advice = adviceFor(score);
      const timeline = new Timeline(scope, { from, to }, () => {});
      replace(place, h('div.truth-figures', {}, ['settled', 'lag', 'flaps', 'time'].map((name) => h('section.card', {}, h('strong', {}, valueOf(name, score)), h('p', {}, t(meaningOf(name, score)))))),
        h('p.advice', {}, icon(advice === 'good' ? 'check' : 'warning'), h('span', {},
          t(`truth.advice.${advice}`, { duration: formatDuration(score.seconds) }), worst ? ` ${t('truth.worst', { room: roomName(worst.room), taken: roomName(worst.taken), duration: formatDuration(worst.seconds) })}` : '')),
        h('h2', {}, t('truth.lanes')), h('p.hint', {}, t('truth.lanes.hint')), timeline.element, legend([...stays, ...visits]));
      timeline.show({ from, to }, to, [{ key: 'truth', title: h('span', {}, t('truth.lane.truth')), visits: stays }, { key: 'answer', title: h('span', {}, t('truth.lane.answer')), visits, whole: true },
        { key: 'verdict', title: h('span', {}, t('truth.lane.verdict')), visits: verdictsOf(stays, visits, to) }]);
    };
    leave = () => {
      alive = false;
      clearTimeout(timer);
    };
    load();
    const forget = async () => {
      if (!await confirmed(t('truth.forget.ask', { name: itemName(state.item) }), t('truth.forget'))) return;
      if (await attempt(() => api.forgetTruth(state.item))) stage('item');
    };
    return [title, note, place, h('div.buttons', {},
      h('button.button.primary', { type: 'button', on: { click: () => stage('walk', { room: null }) } }, icon('redo'), t('truth.again')),
      h('a.button', { href: `api/truth/${encodeURIComponent(state.item)}/truth.csv`, download: 'truth.csv' }, icon('download'), 'CSV'),
      h('a.button', { href: link('teach') }, icon('teach'), t('nav.teach')),
      api.mayWrite ? h('button.button', { type: 'button', on: { click: forget } }, icon('remove'), t('truth.forget')) : null)];
  }

  scope.add(() => leave());
  stage(state.item ? state.stage : 'item');
  return { element, follow: () => true, shown: () => element.querySelector('h1')?.focus() };
}

/** Where the person is beside where the fuser believes the item to be. */
function makeCompare() {
  const truth = h('strong');
  const answer = h('strong');
  const verdict = h('span.truth-verdict', { role: 'status' });
  const element = h('div.truth-compare', {}, h('div', {}, h('span.muted', {}, t('truth.lane.truth')), truth), h('div', {}, h('span.muted', {}, t('truth.lane.answer')), answer), verdict);
  return {
    element,
    show(room, location) {
      const believed = location?.room ?? location?.state;
      const share = location?.room && location.confidence ? ` ${formatShare(location.confidence)}` : '';
      setText(truth, room ? roomName(room) : '–');
      setText(answer, believed ? `${location.room ? roomName(believed) : t(`state.${believed}`)}${share}` : '–');
      const right = room ? String(believed === room) : 'none';
      if (element.dataset.right === right) return;
      element.dataset.right = right;
      replace(verdict, right === 'none' ? null : [icon(right === 'true' ? 'check' : 'close'), t(`truth.right.${right}`)]);
    },
  };
}

function makeFigures(names) {
  const values = names.map(() => h('dd', {}, '–'));
  return {
    element: h('dl.figures', {}, names.map((name, index) => h('div', {}, h('dt', {}, t(`truth.figure.${name}`)), values[index]))),
    show(score) {
      names.forEach((name, index) => setText(values[index], score ? valueOf(name, score) : '–'));
    },
  };
}

/** The colours of the rooms that lanes show, and of right and wrong. */
function legend(visits) {
  const rooms = [...new Set(visits.map((visit) => visit.room))].filter((room) => room !== 'away');
  const entry = (kind, text) => h('li', {}, h(`span.swatch.${kind}`, { 'aria-hidden': 'true' }), text);
  return h('ul.legend', {}, rooms.map((room) => entry(`hue-${hueOfRoom(room)}`, roomName(room))), entry('right', t('truth.right.true')), entry('wrong', t('truth.right.false')));
}

/** The name of the text that says what a figure means, or why there is none. */
function meaningOf(name, score) {
  if (name === 'lag' && score.lag_p50 === undefined) return 'truth.nolag';
  if (name === 'settled' && score.settled === undefined) return 'truth.nosettled';
  return `truth.means.${name}`;
}

function valueOf(name, score) {
  if (name === 'accuracy') return score.accuracy === undefined ? '–' : formatShare(score.accuracy);
  if (name === 'settled') return score.settled === undefined ? '–' : formatShare(score.settled);
  if (name === 'lag') return score.lag_p50 === undefined ? '–' : t('truth.seconds', { n: formatNumber(score.lag_p50, 1) });
  return name === 'flaps' ? formatNumber(score.flaps) : formatDuration(score.seconds);
}
