import { h, replace, s, setText } from '../dom.js';
import { arrange, spanAt } from '../geometry.js';
import { drawnRooms, floors, nodeRoom, roomName } from '../house.js';
import { formatNumber } from '../i18n.js';
import { findings } from '../diagnosis.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';
import { Crowd } from './crowd.js';

const PADDING = 14;
/** Height of the strip below the plan. */
const TRAY = 84;
const TITLE = 26;
/** Width in pixels below which a room shows its name without the number. */
const NARROW = 76;
/** Pixels of a metre at the most. */
const MOST_PIXELS = 150;

/**
 * The plan: drawn rooms of the chosen floors, the places of nodes, and every item where it is believed to be. Below it
 * a strip holds what is away or unknown. The room list says the same in words, so this is hidden from screen readers.
 */
export class Plan {
  element = h('div.plan', { 'aria-hidden': 'true' });
  #rooms = s('svg.plan-rooms');
  #labels = h('div.plan-labels');
  #crowd;
  #tray;
  #nodes = null;
  #floor = null;
  #shapes = new Map();

  /** `size` scales items. `onItem(id)` and `onRoom(id)` are called on a click. */
  constructor(scope, { size = 1, onItem = () => {}, onRoom = () => {} } = {}) {
    this.#crowd = new Crowd(size);
    this.#tray = TRAY * size;
    this.element.append(this.#rooms, this.#labels, this.#crowd.element);
    scope.listen(this.element, 'click', (event) => {
      const token = event.target.closest('.token');
      const room = event.target.closest('[data-room]');
      if (token) onItem(token.dataset.id);
      else if (room) onRoom(room.dataset.room);
    });
    const refresh = throttled(100, () => this.#refresh());
    scope.observeSize(this.element, throttled(100, () => this.draw()));
    scope.add(store.watch((changes) => {
      this.#crowd.touch(changes.items);
      if (changes.house) this.draw();
      else if (changes.items.size) refresh();
      if (changes.nodes.size) this.#markNodes();
    }));
  }

  /** Shows one floor, or all for null. */
  showFloor(floor) {
    this.#floor = floor;
    this.draw();
  }

  /** Dims what the test refuses; null dims nothing. */
  setFilter(test) {
    this.#crowd.setFilter(test);
  }

  /** Marks an item; null for none. */
  select(id) {
    this.#crowd.select(id);
  }

  /** Draws all anew for the present size. */
  draw() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const shown = floors().filter((floor) => this.#floor === null || floor === this.#floor);
    const rooms = shown.map((floor) => drawnRooms().filter((room) => (room.floor ?? '') === floor));
    const titled = shown.length > 1;
    const space = { width: width - 2 * PADDING, height: height - this.#tray - 3 * PADDING - (titled ? TITLE : 0) };
    this.#shapes = new Map();
    this.#rooms.setAttribute('viewBox', `0 0 ${width} ${height}`);
    if (rooms.length) this.#place(rooms, shown, space, titled);
    this.#addTray(width, height);
    this.#drawShapes();
    this.#markNodes();
    this.#crowd.setShapes(this.#shapes);
    this.#countMembers();
  }

  #place(rooms, shown, space, titled) {
    const polygons = rooms.map((list) => list.map((room) => room.polygon));
    const ratio = space.width / space.height;
    const scaleOf = (size) => Math.min(space.width / size.width, space.height / size.height, MOST_PIXELS);
    const layout = arrange(polygons, ratio, titled ? (TITLE + PADDING) / scaleOf(arrange(polygons, ratio, 0)) : 0);
    const scale = scaleOf(layout);
    const left = PADDING + (space.width - layout.width * scale) / 2;
    const top = PADDING + (titled ? TITLE : 0) + (space.height - layout.height * scale) / 2;
    rooms.forEach((list, index) => {
      const shift = layout.shifts[index];
      const toPixels = ([x, y]) => [left + (x + shift.x) * scale, top + (y + shift.y) * scale];
      for (const room of list) {
        const polygon = room.polygon.map(toPixels);
        this.#shapes.set(room.id, { id: room.id, polygon, floor: titled ? shown[index] : null, toPixels });
      }
    });
  }

  #addTray(width, height) {
    const top = height - this.#tray - PADDING;
    const unknown = (store.members.get('unknown')?.size ?? 0) > 0;
    const split = unknown ? PADDING + (width - 2 * PADDING) * 0.66 : width - PADDING;
    const box = (from, to) => [[from, top], [to, top], [to, height - PADDING], [from, height - PADDING]];
    this.#shapes.set('away', { id: 'away', polygon: box(PADDING, split - (unknown ? 5 : 0)), tray: true });
    if (unknown) this.#shapes.set('unknown', { id: 'unknown', polygon: box(split + 5, width - PADDING), tray: true });
  }

  #drawShapes() {
    const drawn = [];
    const labels = [];
    const titles = new Map();
    for (const shape of this.#shapes.values()) {
      const points = shape.polygon.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ');
      shape.outline = s(shape.tray ? 'polygon.tray' : 'polygon.room', { points, 'data-room': shape.id });
      drawn.push(shape.outline);
      const top = Math.min(...shape.polygon.map((point) => point[1]));
      const [from, to] = spanAt(shape.polygon, top + 12) ?? [0, 0];
      shape.count = h('span.count');
      labels.push(h(to - from < NARROW ? 'div.room-label.narrow' : 'div.room-label', { style: { left: `${from + 10}px`, top: `${top + 7}px`, 'max-width': `${Math.max(0, to - from - 16)}px` } },
        h('span.name', {}, roomName(shape.id)), shape.count));
      if (shape.floor && !(titles.get(shape.floor)?.top < top)) titles.set(shape.floor, { top, left: Math.min(...shape.polygon.map((point) => point[0]), titles.get(shape.floor)?.left ?? Infinity) });
    }
    for (const [floor, at] of titles) labels.push(h('div.floor-title', { style: { left: `${at.left}px`, top: `${at.top - TITLE}px` } }, floor));
    replace(this.#rooms, drawn);
    replace(this.#labels, labels);
    this.#rooms.append(this.#nodes = s('g.plan-nodes'));
  }

  #markNodes() {
    if (!this.#nodes) return;
    const marks = [];
    for (const node of store.house.nodes) {
      const shape = this.#shapes.get(nodeRoom(node.id));
      if (!shape?.toPixels || node.x === undefined) continue;
      const [x, y] = shape.toPixels([node.x, node.y]);
      const ill = findings(store.nodes.get(node.id) ?? { id: node.id }, store.clock.now()).length > 0;
      marks.push(s(ill ? 'g.plan-node.ill' : 'g.plan-node', { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
        s('title', {}, node.id), s('circle', { r: 2.4 }), ill ? s('path', { d: 'M0 -6V-11M0 -4.6V-4.4' }) : s('path', { d: 'M-4.6 -4.6A6.5 6.5 0 0 1 4.6 -4.6M-7 -7A10 10 0 0 1 7 -7' })));
    }
    replace(this.#nodes, marks);
  }

  #refresh() {
    const unknown = (store.members.get('unknown')?.size ?? 0) > 0;
    if (unknown !== this.#shapes.has('unknown')) this.draw();
    else {
      this.#crowd.arrange();
      this.#countMembers();
    }
  }

  #countMembers() {
    for (const shape of this.#shapes.values()) {
      const count = store.members.get(shape.id)?.size ?? 0;
      setText(shape.count, count ? formatNumber(count) : '');
      shape.outline.classList.toggle('occupied', count > 0);
    }
  }
}
