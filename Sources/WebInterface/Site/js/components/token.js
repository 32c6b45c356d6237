import { h, setText } from '../dom.js';
import { DOUBTFUL, hueOf, initials, isPerson, itemName, stateOf } from '../house.js';
import { formatShare, t } from '../i18n.js';
import { store } from '../store.js';

/** The sign of an item: a round face for a person, a square one for a thing, with a ring as long as its confidence. */
export function makeFace(id) {
  const face = h('span.face', { 'aria-hidden': 'true' }, h('span.letters'));
  updateFace(face, id);
  return face;
}

/** Refreshes a sign made by `makeFace`; the state of items comes from `source`. */
export function updateFace(face, id, source = store) {
  const record = source.items.get(id) ?? { id };
  const person = isPerson(id);
  const state = stateOf(record);
  face.className = `face ${person ? 'person' : 'thing'} hue-${hueOf(id)} is-${state}`;
  setText(face.firstChild, state === 'unknown' ? '?' : initials(itemName(id)));
  face.style.setProperty('--share', String(shownConfidence(record)));
}

/** The confidence of an item where a room is answered, else 0. */
export function shownConfidence(record) {
  return record.location?.room ? record.location.confidence ?? 0 : 0;
}

/** An item on the plan: its sign, a halo that grows with doubt, and its name. */
export class Token {
  element = h('div.token', {}, h('span.halo'), makeFace(''), h('span.label', {}, h('span.label-name'), h('span')));
  place = undefined;

  #source;

  constructor(id, source) {
    this.id = id;
    this.#source = source;
    this.element.dataset.id = id;
    this.update();
  }

  /** Refreshes what the item looks like. */
  update() {
    const record = this.#source.items.get(this.id) ?? { id: this.id };
    const [halo, face, label] = this.element.children;
    const confidence = shownConfidence(record);
    updateFace(face, this.id, this.#source);
    const doubt = confidence ? 1 - confidence : 0;
    halo.style.setProperty('transform', `scale(${(1 + doubt * 2.4).toFixed(2)})`);
    const name = itemName(this.id);
    setText(label.firstChild, name);
    setText(label.lastChild, confidence && confidence < DOUBTFUL ? formatShare(confidence) : '');
    this.element.title = record.location ? `${name} · ${t(`state.${stateOf(record)}`)}${confidence ? ` · ${formatShare(confidence)}` : ''}` : name;
  }

  /** Moves it to a point of the plan, where its neighbours are `room` pixels away, or `size` times that. */
  moveTo(x, y, room, size = 1) {
    this.element.style.setProperty('transform', `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`);
    this.element.classList.toggle('with-label', room >= 66 || (room >= 52 && isPerson(this.id)));
    this.element.style.setProperty('--fit', String(Math.min(1, room ? room / (isPerson(this.id) ? 42 : 30) : 0.7)));
    this.element.style.setProperty('--space', `${room * size}px`);
  }
}
