import { api } from '../api.js';
import { formatDay, formatDuration, formatSpan } from '../clock.js';
import { refusalText } from '../components/notice.js';
import { makePicker } from '../components/picker.js';
import { stacked } from '../components/stacked.js';
import { showLegend } from '../components/timeline-legend.js';
import { placeText, Timeline } from '../components/timeline.js';
import { makeFace } from '../components/token.js';
import { toCSV } from '../csv.js';
import { download, h, icon, replace, setText } from '../dom.js';
import { allRooms, byKindAndName, DOUBTFUL, filterOf, isPerson, itemName, roomName } from '../house.js';
import { formatShare, t } from '../i18n.js';
import { preferences } from '../preferences.js';
import { go, link } from '../router.js';
import { staysFrom } from '../stays.js';
import { store } from '../store.js';
import { gaps, pan } from '../time-axis.js';

const SPANS = { '1h': 3600, '6h': 6 * 3600, '24h': 86_400, '3d': 3 * 86_400, '7d': 7 * 86_400 };
const ROWS = 200;
/** Items whose visits are asked for to show a room. The server takes 20 requests a second of all pages. */
const ASKED_OF_A_ROOM = 24;
const AT_ONCE = 2;

/** The time view: who was where, and when, over an hour to seven days. */
export function view(scope, parameters) {
  let subject = null;
  let length = SPANS[preferences.get('time.span')] ?? SPANS['24h'];
  let span = spanToNow();
  let following = true;
  let lanes = [];
  let loading = 0;
  let timer = 0;

  const timeline = new Timeline(scope, span, (next) => {
    span = next;
    length = span.to - span.from;
    following = store.clock.now() - span.to < length / 100;
    markSpan();
    loadSoon(350);
  });
  const picker = makePicker({ label: t('time.choose'), options: subjects, choose: (entry) => go('time', entry.type, entry.id) });
  const note = h('p.hint', { role: 'status' });
  const table = h('tbody');
  const legend = h('ul.legend');
  const rest = h('p.hint');
  const spans = h('div.segments', { role: 'group', 'aria-label': t('time.span') }, Object.entries(SPANS).map(([name, seconds]) =>
    h('button.segment', { type: 'button', 'data-seconds': String(seconds), on: { click: () => showLast(name, seconds) } }, t(`time.span.${name}`))));
  const step = (direction) => {
    span = pan(span, direction * length * 0.5, store.clock.now());
    following = direction > 0 && store.clock.now() - span.to < 1;
    redraw();
    loadSoon(0);
  };
  const element = h('div.page', {},
    h('h1', {}, t('nav.time')),
    h('div.toolbar', {}, picker.element, spans,
      h('div.segments', {}, h('button.segment', { type: 'button', 'aria-label': t('time.earlier'), on: { click: () => step(-1) } }, icon('back')),
        h('button.segment', { type: 'button', 'aria-label': t('time.later'), on: { click: () => step(1) } }, icon('next'))),
      h('button.button', { type: 'button', on: { click: save } }, icon('download'), 'CSV'),
      h('a.button', { href: link('day') }, icon('play'), t('day.open'))),
    timeline.element, legend, note, h('p.hint', {}, t('time.confidence.hint', { share: formatShare(DOUBTFUL) })),
    h('div.table-wrap', { tabindex: '0', role: 'region', 'aria-label': t('time.visits') }, h('table.table.stays', {}, h('thead', {}, h('tr', {}, ['who', 'room', 'from', 'to', 'duration', 'confidence'].map((name) => h('th', { scope: 'col' }, t(`time.${name}`))))), table)), rest);

  function spanToNow() {
    const now = store.clock.now();
    return { from: now - length, to: now };
  }

  function showLast(name, seconds) {
    preferences.set('time.span', name);
    length = seconds;
    following = true;
    span = spanToNow();
    markSpan();
    redraw();
    loadSoon(0);
  }

  function markSpan() {
    for (const button of spans.children) button.setAttribute('aria-pressed', String(Math.abs(Number(button.dataset.seconds) - length) < 1));
  }

  function choose([type, id]) {
    subject = type && id ? { type, id } : preferences.get('time.subject') ?? firstSubject();
    if (!subject) return setText(note, t('time.nothing'));
    preferences.set('time.subject', subject);
    picker.show(subject.type === 'room' ? roomName(subject.id) : itemName(subject.id));
    lanes = [];
    markSpan();
    loadSoon(0);
  }

  function loadSoon(wait) {
    clearTimeout(timer);
    timer = setTimeout(load, wait);
  }

  async function load() {
    if (!subject) return;
    const round = loading += 1;
    setText(note, lanes.length ? '' : t('time.loading'));
    try {
      const whole = { ...span };
      const { ids, left } = askedOf(subject);
      const found = await lanesOf(subject, ids, whole);
      if (round !== loading) return;
      lanes = found.filter((entry, index) => hasVisits(entry) || (index === 0 && subject.type !== 'room'));
      if (!preferences.get('time.span')) fit();
      setText(note, !lanes.length ? t('time.empty') : left ? t('time.leftout', { n: left }) : '');
      redraw();
    } catch (refusal) {
      if (round === loading) setText(note, refusalText(refusal));
    }
  }

  /** Shows the shortest span that holds all visits, until a person has chosen one. */
  function fit() {
    const first = Math.min(...lanes.flatMap((entry) => entry.visits.map((visit) => visit.from)));
    const shortest = Object.values(SPANS).find((seconds) => span.to - first < seconds);
    if (!shortest || shortest >= length || !following) return;
    length = shortest;
    span = spanToNow();
    markSpan();
  }

  /** Asks anew only for those who moved since. */
  async function refresh() {
    const moved = askedOf(subject).ids.filter((id) => hasMoved(id, lanes.find((entry) => entry.key === id), subject));
    if (!moved.length) return;
    const round = loading;
    const fresh = await lanesOf(subject, moved, { ...span }).catch(() => []);
    if (round !== loading) return;
    const known = new Map(lanes.map((entry) => [entry.key, entry]));
    for (const entry of fresh) if (hasVisits(entry)) known.set(entry.key, entry);
    lanes = [...known.values()];
    redraw();
  }

  function redraw() {
    const now = store.clock.now();
    const shown = lanes.map((entry) => ({ ...entry, visits: staysOfLane(entry, now) }));
    timeline.show(span, now, shown);
    const inSpan = shown.map((entry) => ({ ...entry, visits: entry.visits.filter((stay) => isWithin(stay, span)) }));
    showLegend(legend, inSpan, shown.some((entry) => entry.whole && gaps(entry.visits, span, now, length / 300).length));
    // The lanes of a person's items show where each was; the person's own stays are the answer.
    const rows = rowsOf(subject.type === 'person' ? shown.filter((entry) => entry.key === subject.id) : shown, span).reverse();
    replace(table, dayRows(rows.slice(0, ROWS), now));
    stacked(table.parentElement);
    setText(rest, rows.length > ROWS ? t('time.csvrest', { n: rows.length - ROWS }) : '');
  }

  function save() {
    const iso = (seconds) => (seconds ? new Date(seconds * 1000).toISOString() : '');
    const answers = lanes.map((entry) => ({ ...entry, visits: entry.visits.filter((visit) => !entry.room || visit.room === entry.room) }));
    const rows = rowsOf(answers, span).map(({ who, visit }) => [who, itemName(who), visit.room, roomName(visit.room), iso(visit.from), iso(visit.to), Math.round((visit.to ?? store.clock.now()) - visit.from), visit.confidence ?? '']);
    download(`whereabouts-${subject?.id ?? 'none'}.csv`, toCSV([['id', 'name', 'room', 'room_name', 'from', 'to', 'seconds', 'confidence'], ...rows]), 'text/csv;charset=utf-8');
  }

  scope.every(5000, () => {
    if (!following) return;
    span = spanToNow();
    redraw();
    if (subject && lanes.length) refresh();
  });
  scope.add(() => {
    clearTimeout(timer);
    loading = -1;
  });
  if (!store.complete) scope.add(store.watch((changes) => { if (changes.house && !subject) choose(parameters); }));
  choose(parameters);
  return {
    element,
    follow(next) {
      parameters = next;
      choose(next);
      return true;
    },
  };
}

function firstSubject() {
  const person = store.house.persons[0];
  if (person) return { type: 'person', id: person.id };
  const item = store.items.keys().next().value;
  return item ? { type: 'item', id: item } : null;
}

function subjects(text) {
  const test = filterOf(text, null);
  const items = [...store.items.values()].filter((record) => !test || test(record)).slice(0, 200).map((record) => record.id).sort(byKindAndName);
  const rooms = allRooms().filter((room) => !text || roomName(room.id).toLocaleLowerCase().includes(text.toLocaleLowerCase()));
  const ofItem = (id) => ({ id, type: isPerson(id) ? 'person' : 'item', name: itemName(id), sign: () => makeFace(id) });
  return [...items.filter(isPerson).map(ofItem), ...rooms.map((room) => ({ id: room.id, type: 'room', name: roomName(room.id), kind: t('time.room') })), ...items.filter((id) => !isPerson(id)).map(ofItem)];
}

/** The ids whose visits show a subject, and the number of others. */
function askedOf({ type, id }) {
  if (type !== 'room') return { ids: [id, ...(store.persons.get(id)?.items ?? [])], left: 0 };
  const present = store.members.get(id) ?? new Set();
  const all = [...store.items.keys()].sort((a, b) => present.has(b) - present.has(a) || isPerson(b) - isPerson(a));
  return { ids: all.slice(0, ASKED_OF_A_ROOM), left: Math.max(0, all.length - ASKED_OF_A_ROOM) };
}

function lanesOf({ type, id }, ids, span) {
  return inTurn(ids, async (who) => {
    const { visits } = await api.history(who, span.from, span.to);
    return type === 'room' ? { ...lane(who, visits), room: id, ofRoom: itemName(who), whole: false } : lane(who, visits);
  });
}

/** Tells whether an item's last visit is another than its lane shows. */
function hasMoved(id, shown, { type, id: room }) {
  const last = shown?.visits.at(-1);
  const place = store.items.get(id)?.place;
  const lasts = last !== undefined && last.to === undefined;
  if (type === 'room') return (place === room) !== (lasts && last.room === room);
  return shown !== undefined && place !== undefined && place !== 'unknown' && !(lasts && last.room === place);
}

/** What a lane shows of its visits: all stays, or those in the room that was chosen. */
function staysOfLane({ visits, room }, now) {
  const stays = staysFrom(visits, now);
  return room ? stays.filter((stay) => stay.rooms.includes(room)) : stays;
}

function hasVisits({ visits, room }) {
  return room ? visits.some((visit) => visit.room === room) : visits.length > 0;
}

function isWithin(visit, span) {
  return (visit.to ?? Infinity) >= span.from && visit.from <= span.to;
}

/** Rows of the table, with a row for each day above them. */
function dayRows(rows, now) {
  let day = '';
  return rows.flatMap(({ who, visit }) => {
    const begins = formatDay(visit.from);
    const { from, to } = formatSpan(visit.from, visit.to ?? null);
    const row = h(visit.kind === 'unsure' ? 'tr.unsure' : 'tr', {}, [itemName(who), placeText(visit), from, to, formatDuration((visit.to ?? now) - visit.from)].map((text) => h('td', {}, text)), h('td', {}, sureText(visit)));
    const before = begins === day ? null : h('tr.day-row', {}, h('th', { scope: 'rowgroup', colspan: '6' }, begins));
    day = begins;
    return [before, row];
  });
}

function sureText({ kind, room, confidence }) {
  if (kind === 'unsure') return h('span.tag.warn', {}, t('time.unsure'));
  return room === 'away' || kind === 'moving' || confidence === undefined ? '' : formatShare(confidence);
}

function lane(who, visits) {
  return { key: who, title: [makeFace(who), h('span', {}, itemName(who))], visits, whole: true };
}

async function inTurn(list, action) {
  const results = [];
  for (let from = 0; from < list.length; from += AT_ONCE) results.push(...await Promise.all(list.slice(from, from + AT_ONCE).map(action)));
  return results;
}

function rowsOf(lanes, span) {
  const rows = lanes.flatMap((entry) => entry.visits.filter((visit) => isWithin(visit, span)).map((visit) => ({ who: entry.key, visit })));
  return rows.sort((a, b) => a.visit.from - b.visit.from);
}
