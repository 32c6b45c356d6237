import { h, setText } from '../dom.js';
import { centre, places } from '../geometry.js';
import { byKindAndName, isPerson } from '../house.js';
import { formatNumber } from '../i18n.js';
import { wantsLittleMotion } from '../preferences.js';
import { Token } from './token.js';

/** Items of a room beyond which things are counted rather than drawn. */
const MOST = 40;
/** Items drawn in the whole plan. */
const MOST_IN_ALL = 600;
const PERSONS_BESIDE_COUNT = 6;
const SPACINGS = [92, 76, 66, 52, 44, 36, 31, 27];
/** The steps by which a room's spacing must be too narrow before it grows again: until then everything keeps its place. */
const LOOSER = 3;
const MOST_FLIGHTS = 12;
const MOVE = 900;

/** All items of a plan. It places them in their rooms, keeps each where it is as long as that is possible, and moves them. */
export class Crowd {
  element = h('div.crowd');
  #size;
  #source;
  #shapes = new Map();
  #tokens = new Map();
  #counts = new Map();
  #places = new Map();
  #touched = new Set();
  #filter = null;
  #selected = null;
  #flights = 0;

  /** `size` scales items; `source` has `items` and `members` as the store has them. */
  constructor(size, source) {
    this.#size = size;
    this.#source = source;
    this.element.style.setProperty('--size', String(size));
  }

  /** Takes ids of items that changed since the last `arrange`. */
  touch(ids) {
    for (const id of ids) this.#touched.add(id);
  }

  /** Takes the rooms with their outlines in pixels, and places all anew without motion. */
  setShapes(shapes) {
    this.#shapes = shapes;
    for (const shape of shapes.values()) {
      shape.middle = centre(shape.polygon);
      shape.seats = new Map();
      shape.found = new Map();
    }
    for (const [place, count] of this.#counts) {
      if (shapes.has(place)) continue;
      count.remove();
      this.#counts.delete(place);
    }
    this.element.classList.add('still');
    for (const [id, token] of this.#tokens) if (!shapes.has(this.#source.items.get(id)?.place)) this.#drop(token);
    this.#places.clear();
    for (const place of shapes.keys()) this.#arrangeRoom(place);
    for (const place of shapes.keys()) for (const id of this.#source.members.get(place) ?? []) this.#places.set(id, place);
    this.#touched.clear();
    this.element.getBoundingClientRect();
    this.element.classList.remove('still');
  }

  /** Places what changed. */
  arrange() {
    const rooms = new Set();
    const flights = [];
    for (const id of this.#touched) {
      const before = this.#places.get(id);
      const after = this.#source.items.get(id)?.place;
      this.#tokens.get(id)?.update();
      if (before === after) continue;
      rooms.add(before).add(after);
      if (after === undefined) this.#places.delete(id);
      else this.#places.set(id, after);
      if (before !== undefined && after !== undefined && !this.#tokens.has(id)) flights.push([before, after]);
    }
    this.#touched.clear();
    for (const place of rooms) if (this.#shapes.has(place)) this.#arrangeRoom(place);
    for (const [id, token] of this.#tokens) if (!this.#shapes.has(this.#source.items.get(id)?.place)) this.#drop(token);
    for (const [from, to] of flights) if (this.#counts.has(from) && this.#counts.has(to)) this.#fly(from, to);
  }

  /** Dims what the test refuses. */
  setFilter(test) {
    this.#filter = test;
    for (const token of this.#tokens.values()) this.#mark(token);
  }

  /** Marks an item. */
  select(id) {
    this.#selected = id;
    for (const token of this.#tokens.values()) this.#mark(token);
  }

  #mark(token) {
    token.element.classList.toggle('dim', this.#filter !== null && !this.#filter(this.#source.items.get(token.id) ?? { id: token.id }));
    token.element.classList.toggle('selected', token.id === this.#selected);
  }

  #arrangeRoom(place) {
    const shape = this.#shapes.get(place);
    const members = this.#source.members.get(place) ?? new Set();
    const limit = Math.max(6, Math.min(MOST, Math.floor(MOST_IN_ALL / this.#shapes.size)));
    let spacing = members.size <= limit ? this.#spacing(shape, members.size) : null;
    let ids = [...members];
    if (spacing === null) {
      ids = ids.filter(isPerson).slice(0, PERSONS_BESIDE_COUNT);
      spacing = this.#spacing(shape, ids.length + 1) ?? 0;
      if (!spacing) ids = [];
      this.#showCount(place, members.size - ids.length, spacing);
    } else {
      this.#counts.get(place)?.remove();
      this.#counts.delete(place);
    }
    const counted = this.#counts.has(place);
    if (counted) for (const id of members) if (!ids.includes(id) && this.#tokens.has(id)) this.#sink(this.#tokens.get(id), shape.middle);
    this.#seat(shape, ids, spacing, counted ? 1 : 0);
  }

  #capacity(shape, spacing) {
    if (!shape.found.has(spacing)) shape.found.set(spacing, places(shape.polygon, MOST + 1, spacing * this.#size, (shape.tray ? 10 : 22) * this.#size, shape.middle));
    return shape.found.get(spacing);
  }

  #spacing(shape, count) {
    const fits = SPACINGS.findIndex((spacing) => this.#capacity(shape, spacing).length >= count);
    const current = SPACINGS.indexOf(shape.spacing);
    return SPACINGS[current > fits && fits >= 0 && current - fits < LOOSER ? current : fits] ?? null;
  }

  #seat(shape, ids, spacing, first) {
    shape.spacing = spacing;
    const found = spacing ? this.#capacity(shape, spacing) : [];
    const present = new Set(ids);
    for (const [id, seat] of shape.seats) if (!present.has(id) || seat < first || seat >= found.length) shape.seats.delete(id);
    const taken = new Set(shape.seats.values());
    let seat = first;
    for (const id of ids.filter((id) => !shape.seats.has(id)).sort(byKindAndName)) {
      while (taken.has(seat)) seat += 1;
      taken.add(seat);
      shape.seats.set(id, seat);
    }
    for (const [id, number] of shape.seats) {
      const at = found[number] ?? shape.middle;
      this.#token(id, shape).moveTo(at.x, at.y, spacing, this.#size);
    }
  }

  #token(id, shape) {
    let token = this.#tokens.get(id);
    if (!token) {
      token = new Token(id, this.#source);
      this.#tokens.set(id, token);
      const from = this.#shapes.get(this.#places.get(id)) ?? shape;
      token.moveTo(from.middle.x, from.middle.y, 0);
      token.element.classList.add('still');
      this.element.append(token.element);
      token.element.getBoundingClientRect();
      token.element.classList.remove('still');
      this.#mark(token);
    }
    if (token.place !== undefined && token.place !== shape.id) this.#pulse(token);
    token.place = shape.id;
    return token;
  }

  #pulse(token) {
    if (wantsLittleMotion()) return;
    token.element.classList.remove('arrived');
    requestAnimationFrame(() => token.element.classList.add('arrived'));
  }

  #drop(token) {
    this.#tokens.delete(token.id);
    token.element.classList.add('gone');
    setTimeout(() => token.element.remove(), 300);
  }

  #sink(token, point) {
    this.#tokens.delete(token.id);
    token.moveTo(point.x, point.y, 0);
    token.element.classList.add('sinking');
    setTimeout(() => token.element.remove(), MOVE);
  }

  #showCount(place, number, spacing) {
    const shape = this.#shapes.get(place);
    let count = this.#counts.get(place);
    if (!count) {
      count = h('div.crowd-count', { 'data-room': place });
      this.#counts.set(place, count);
      this.element.append(count);
    }
    const at = (spacing && this.#capacity(shape, spacing)[0]) || shape.middle;
    count.style.setProperty('--count', `${Math.max(22, Math.min(64 * this.#size, spacing ? spacing * this.#size * 0.9 : shape.middle.room * 1.3))}px`);
    count.style.setProperty('transform', `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`);
    setText(count, formatNumber(number));
  }

  #fly(from, to) {
    if (this.#flights >= MOST_FLIGHTS || wantsLittleMotion()) return;
    this.#flights += 1;
    const [a, b] = [this.#shapes.get(from).middle, this.#shapes.get(to).middle];
    const dot = h('div.flight');
    this.element.append(dot);
    const animation = dot.animate(
      [{ transform: `translate(${a.x}px, ${a.y}px)`, opacity: 0.9 }, { transform: `translate(${b.x}px, ${b.y}px)`, opacity: 0.3 }],
      { duration: MOVE, easing: 'cubic-bezier(.3,.6,.2,1)' });
    animation.onfinish = () => {
      this.#flights -= 1;
      dot.remove();
    };
  }
}
