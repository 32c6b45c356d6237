import { h, icon, reconcile, setText } from '../dom.js';
import { formatDuration } from '../clock.js';
import { allRooms, byKindAndName, DOUBTFUL, isDeaf, isPerson, itemName, roomName, stateOf } from '../house.js';
import { Hold } from '../hold.js';
import { formatNumber, formatShare, t } from '../i18n.js';
import { link } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';
import { makeFace, shownConfidence, updateFace } from './token.js';

const SHOWN = 12;
/** Items beyond which cards are refreshed once a second. */
const MANY = 1000;
const MORE = 100;

/** A line about an item: sign, name, state since when, and confidence as number and bar. It leads to the item. */
export function makeItemRow(id, href = link('live', id)) {
  const row = h('a.item-row', { href, 'data-id': id }, makeFace(id),
    h('span.item-name'), h('span.item-state'), h('span.item-alert'), h('span.item-share', {}, h('span.number'), h('span.bar', { 'aria-hidden': 'true' })));
  updateItemRow(row, id);
  return row;
}

/** Refreshes a line made by `makeItemRow`. `withRoom` names the room as well. */
export function updateItemRow(row, id, withRoom = false) {
  const record = store.items.get(id) ?? { id };
  const [face, name, state, alert, share] = row.children;
  updateFace(face, id);
  setText(name, itemName(id));
  const room = withRoom && record.location?.room ? `${roomName(record.location.room)} · ` : '';
  setText(state, room + describeState(record));
  if (record.alert && !alert.firstChild) alert.append(icon('warning'), h('span.visually-hidden', {}, t('nav.alerts')));
  else if (!record.alert) alert.replaceChildren();
  const confidence = shownConfidence(record);
  share.hidden = !confidence;
  setText(share.firstChild, formatShare(confidence));
  share.lastChild.style.setProperty('--share', String(confidence));
  row.classList.toggle('doubtful', confidence > 0 && confidence < DOUBTFUL);
}

/** The state of an item in words, with the time since it began. */
export function describeState(record) {
  const state = stateOf(record);
  if (!record.location) return t('state.unheard');
  const name = state === 'present' && record.location.confidence < DOUBTFUL ? 'perhaps' : state;
  return t('state.since', { state: t(`state.${name}`), duration: formatDuration(store.clock.now() - record.location.since) });
}

/** Cards of rooms with what is in them: as good as the plan, where nothing is drawn. */
export class RoomList {
  element = h('div.room-list');
  #filter = null;
  #selected = null;
  #opened = new Set();
  /** The cards as they were shown last. */
  #shown = [];
  #hold;
  #inView = new Set();
  #observer = new IntersectionObserver((entries) => this.#viewed(entries), { rootMargin: '200px' });

  constructor(scope) {
    scope.add(() => this.#observer.disconnect());
    this.#hold = new Hold(scope, this.element, () => this.refresh());
    const often = throttled(300, () => this.refresh());
    const seldom = throttled(1000, () => this.refresh());
    scope.add(store.watch((changes) => {
      if (changes.items.size || changes.nodes.size || changes.house) (store.items.size > MANY ? seldom : often)();
    }));
    scope.every(5000, () => this.refresh());
  }

  /** Shows only what passes the test; null shows all. */
  setFilter(test) {
    this.#filter = test;
    this.#draw();
  }

  /** Marks an item. */
  select(id) {
    this.#selected = id;
    this.refresh();
  }

  /** Brings a room into view. */
  reveal(room) {
    this.#opened.add(room);
    this.refresh();
    const card = [...this.element.children].find((element) => element.dataset.place === room);
    card?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    card?.classList.remove('flash');
    requestAnimationFrame(() => card?.classList.add('flash'));
  }

  /** Draws the present state. While somebody is about to choose a row, each stays where it is, and says where its item went. */
  refresh() {
    if (this.#hold.active && this.#shown.length) this.#show();
    else this.#draw();
  }

  #draw() {
    const rooms = allRooms().map((room) => room.id);
    const unheard = [...store.items.values()].some((record) => !record.location);
    const cards = [...rooms, 'away', 'unknown', ...(unheard ? ['unheard'] : [])].map((place) => this.#content(place));
    const shown = cards.filter((card) => card.members.length || (!this.#filter && rooms.includes(card.place)));
    this.#shown = shown.sort((a, b) => rank(a) - rank(b));
    this.#show();
  }

  #show() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    reconcile(this.element, this.#shown, (card) => card.place, (card) => this.#make(card.place), (element, card) => this.#update(element, card));
    // A row that goes to another card keeps the focus.
    if (focused && !this.element.contains(document.activeElement)) this.element.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #content(place) {
    let members = place === 'unheard' ? [...store.items.values()].filter((record) => !record.location).map((record) => record.id) : [...(store.members.get(place) ?? [])];
    if (this.#filter) members = members.filter((id) => this.#filter(store.items.get(id)));
    return { place, members };
  }

  #make(place) {
    const name = h('h2');
    const more = h('button.link.more', { type: 'button', on: { click: () => {
      this.#opened.add(place);
      this.refresh();
    } } });
    const card = h('section.room-card', { 'data-place': place }, h('header', {}, name, h('span.deaf'), h('span.count')), h('div.rows'), more);
    this.#observer.observe(card);
    return card;
  }

  #viewed(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#inView.add(target);
      else this.#inView.delete(target);
    }
    this.refresh();
  }

  /** Cards out of view only keep their place. */
  #update(element, { place, members }) {
    const [header, rows, more] = element.children;
    if (rows.firstChild && !this.#inView.has(element) && !this.#filter) return;
    setText(header.firstChild, place === 'unheard' ? t('state.unheard') : roomName(place));
    const deaf = isDeaf(place);
    setText(header.lastChild, members.length ? formatNumber(members.length) : deaf ? '' : t('live.nobody'));
    setText(header.children[1], deaf ? t('live.deaf') : '');
    element.classList.toggle('empty', members.length === 0);
    const limit = this.#opened.has(place) ? MORE : SHOWN;
    const shown = (members.length > 400 ? firstOf(members, limit) : members).sort(byKindAndName).slice(0, limit);
    reconcile(rows, shown, (id) => id, (id) => makeItemRow(id), (row, id) => {
      const there = store.items.get(id)?.place;
      row.classList.toggle('elsewhere', place !== 'unheard' && there !== place);
      updateItemRow(row, id, there !== place);
      row.classList.toggle('current', id === this.#selected);
    });
    more.hidden = members.length <= shown.length;
    setText(more, limit === SHOWN ? t('live.more', { n: members.length - shown.length }) : t('live.searchmore', { n: members.length - shown.length }));
  }
}

/** Some of very many: persons, then whatever comes first. A search finds the others. */
function firstOf(members, limit) {
  return [...members.filter(isPerson).slice(0, limit), ...members.slice(0, limit)].filter((id, index, list) => list.indexOf(id) === index);
}

function rank(card) {
  const tail = ['away', 'unknown', 'unheard'].indexOf(card.place);
  return tail >= 0 ? 10 + tail : 0;
}
