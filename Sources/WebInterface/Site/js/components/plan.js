import { h, replace, s, setText } from '../dom.js';
import { arrange, boxOf, clip, spanAt } from '../geometry.js';
import { drawnRooms, floorName, floors, isDeaf, nodeRoom, roomName } from '../house.js';
import { formatNumber, t } from '../i18n.js';
import { findings } from '../diagnosis.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';
import { Crowd } from './crowd.js';
import { FloorPictures } from './floor-pictures.js';
import { hatches, LossMarks } from './loss-marks.js';
import { PlanView, WHOLE } from './plan-view.js';

const PADDING = 14;
/** Height of the strip below the plan. */
const TRAY = 84;
/** Width that the buttons which enlarge take from that strip. */
const BUTTONS = 44;
const TITLE = 26;
/** Width in pixels below which a room shows its name without the number. */
const NARROW = 76;
/** Pixels of a metre at the most. */
const MOST_PIXELS = 150;
/** Pixels of an enlarged room that must be in view for it to be drawn. */
const LEAST_PIXELS = 12;

/**
 * The plan: drawn rooms of the chosen floors, the places of nodes, and every item where it is believed to be. Below it
 * a strip holds what is away or unknown. The room list says the same in words, so what is drawn is hidden from screen
 * readers; the plan itself takes the focus, and keys enlarge and move it.
 */
export class Plan {
  element = h('div.plan');
  #rooms = s('svg.plan-rooms');
  #labels = h('div.plan-labels');
  #pictures = new FloorPictures();
  #losses = new LossMarks();
  #crowd;
  #tray;
  #nodes = null;
  #floor = null;
  #shapes = new Map();
  #source;
  #zoom = null;

  /**
   * `size` scales items. `onItem(id)` and `onRoom(id)` are called on a click. `source` has `items`, `members` and `watch`
   * as the store has them. Without `controls` it can't be enlarged.
   */
  constructor(scope, { size = 1, onItem = () => {}, onRoom = () => {}, source = store, controls = true } = {}) {
    this.#source = source;
    this.#crowd = new Crowd(size, source);
    this.#tray = TRAY * size;
    this.element.append(h('div.plan-drawn', { 'aria-hidden': 'true' }, this.#rooms, this.#labels, this.#crowd.element));
    if (controls) this.#addZoom(scope);
    scope.listen(this.element, 'click', (event) => {
      const token = event.target.closest('.token');
      const room = event.target.closest('[data-room]');
      if (token) onItem(token.dataset.id);
      else if (room) onRoom(room.dataset.room);
    });
    const refresh = throttled(100, () => this.#refresh());
    const mark = throttled(1000, () => {
      this.#markNodes();
      this.#countMembers();
    });
    scope.observeSize(this.element, throttled(100, () => this.draw()));
    scope.add(source.watch((changes) => {
      this.#crowd.touch(changes.items);
      if (changes.house) this.draw();
      else if (changes.items.size) refresh();
      if (changes.nodes.size) mark();
    }));
  }

  #addZoom(scope) {
    for (const [name, value] of Object.entries({ tabindex: '0', role: 'group', 'aria-label': t('plan.label') })) this.element.setAttribute(name, value);
    let frame = 0;
    this.#zoom = new PlanView(scope, this.element, () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        this.draw();
      });
    });
    scope.add(() => cancelAnimationFrame(frame));
    this.element.append(this.#zoom.element);
  }

  /** Shows one floor, or all for null. */
  showFloor(floor) {
    if (floor !== this.#floor) this.#zoom?.reset();
    this.#floor = floor;
    this.draw();
  }

  /** Dims what the test refuses; null dims nothing. */
  setFilter(test) {
    this.#crowd.setFilter(test);
  }

  /** Hatches rooms by the share of packets that are lost there: a map by room; null for none. */
  showLosses(losses) {
    this.#losses.show(losses, this.#shapes);
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
    this.element.classList.toggle('with-picture', this.#pictures.isAny);
    this.#addTray(width, height);
    this.#drawShapes();
    this.#markNodes();
    this.#crowd.setShapes(this.#shapes);
    this.#countMembers();
  }

  #place(rooms, shown, space, titled) {
    const polygons = rooms.map((list) => list.map((room) => room.polygon));
    this.#pictures.begin();
    const ratio = space.width / space.height;
    const scaleOf = (size) => Math.min(space.width / size.width, space.height / size.height, MOST_PIXELS);
    const layout = arrange(polygons, ratio, titled ? (TITLE + PADDING) / scaleOf(arrange(polygons, ratio, 0)) : 0);
    const scale = scaleOf(layout);
    const area = { x: 0, y: 0, width: space.width + 2 * PADDING, height: space.height + 2 * PADDING + (titled ? TITLE : 0) };
    this.#zoom?.setSpace(area.width, area.height);
    const view = this.#zoom?.view ?? WHOLE;
    const left = PADDING + (space.width - layout.width * scale) / 2;
    const top = PADDING + (titled ? TITLE : 0) + (space.height - layout.height * scale) / 2;
    rooms.forEach((list, index) => {
      const shift = layout.shifts[index];
      const toPixels = ([x, y]) => [(left + (x + shift.x) * scale) * view.scale + view.x, (top + (y + shift.y) * scale) * view.scale + view.y];
      this.#pictures.place(shown[index], boxOf(polygons[index].flat()), toPixels);
      for (const room of list) {
        const walls = room.polygon.map(toPixels);
        // The items of an enlarged room are shown in the part of it that is in view.
        const polygon = view.scale > 1 ? clip(walls, area) : walls;
        if (polygon.length < 3 || Math.min(boxOf(polygon).width, boxOf(polygon).height) < LEAST_PIXELS) continue;
        this.#shapes.set(room.id, { id: room.id, polygon, walls, area, floor: titled ? shown[index] : null, toPixels });
      }
    });
  }

  #addTray(width, height) {
    const top = height - this.#tray - PADDING;
    const unknown = (this.#source.members.get('unknown')?.size ?? 0) > 0;
    const right = width - PADDING - (this.#zoom ? BUTTONS : 0);
    const split = unknown ? PADDING + (right - PADDING) * 0.66 : right;
    const box = (from, to) => [[from, top], [to, top], [to, height - PADDING], [from, height - PADDING]];
    this.#shapes.set('away', { id: 'away', polygon: box(PADDING, split - (unknown ? 5 : 0)), tray: true });
    if (unknown) this.#shapes.set('unknown', { id: 'unknown', polygon: box(split + 5, right), tray: true });
  }

  #drawShapes() {
    // Enlarged rooms end at the strip.
    const edge = Math.min(...[...this.#shapes.values()].filter((shape) => shape.tray).map((shape) => shape.polygon[0][1])) - PADDING / 2;
    const drawn = [this.#nodes = s('g.plan-nodes'), s('rect.plan-ground', { x: 0, y: edge, width: '100%', height: '100%' })];
    const labels = [];
    const titles = new Map();
    for (const shape of this.#shapes.values()) {
      const points = (shape.walls ?? shape.polygon).map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ');
      shape.outline = s(shape.tray ? 'polygon.tray' : 'polygon.room', { points, 'data-room': shape.id });
      if (shape.tray) drawn.push(shape.outline);
      else drawn.unshift(shape.outline);
      const top = Math.min(...shape.polygon.map((point) => point[1]));
      const [from, to] = spanAt(shape.polygon, top + 12) ?? [0, 0];
      shape.count = h('span.count');
      labels.push(h(to - from < NARROW ? 'div.room-label.narrow' : 'div.room-label', { style: { left: `${from + 10}px`, top: `${top + 7}px`, 'max-width': `${Math.max(0, to - from - 16)}px` } },
        h('span.name', {}, roomName(shape.id)), shape.count));
      if (shape.floor && !(titles.get(shape.floor)?.top < top)) titles.set(shape.floor, { top, left: Math.min(...shape.polygon.map((point) => point[0]), titles.get(shape.floor)?.left ?? Infinity) });
    }
    for (const [floor, at] of titles) labels.push(h('div.floor-title', { style: { left: `${at.left}px`, top: `${at.top - TITLE}px` } }, floorName(floor)));
    drawn.unshift(hatches(), this.#pictures.element);
    drawn.splice(drawn.indexOf(this.#nodes), 0, this.#losses.element);
    this.#losses.draw(this.#shapes);
    replace(this.#rooms, drawn);
    replace(this.#labels, labels);
  }

  #markNodes() {
    if (!this.#nodes) return;
    const marks = [];
    for (const node of store.house.nodes) {
      const shape = this.#shapes.get(nodeRoom(node.id));
      if (!shape?.toPixels || node.x === undefined) continue;
      const [x, y] = shape.toPixels([node.x, node.y]);
      if (y > shape.area.height) continue;
      const ill = findings(store.nodes.get(node.id) ?? { id: node.id }, store.clock.now()).length > 0;
      marks.push(s(ill ? 'g.plan-node.ill' : 'g.plan-node', { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
        s('title', {}, node.id), s('circle', { r: 2.4 }), ill ? s('path', { d: 'M0 -6V-11M0 -4.6V-4.4' }) : s('path', { d: 'M-4.6 -4.6A6.5 6.5 0 0 1 4.6 -4.6M-7 -7A10 10 0 0 1 7 -7' })));
    }
    replace(this.#nodes, marks);
  }

  #refresh() {
    const unknown = (this.#source.members.get('unknown')?.size ?? 0) > 0;
    if (unknown !== this.#shapes.has('unknown')) this.draw();
    else {
      this.#crowd.arrange();
      this.#countMembers();
    }
  }

  #countMembers() {
    for (const shape of this.#shapes.values()) {
      const count = this.#source.members.get(shape.id)?.size ?? 0;
      setText(shape.count, [count ? formatNumber(count) : '', this.#source === store && isDeaf(shape.id) ? t('live.deaf') : ''].filter(Boolean).join(' · '));
      shape.outline.classList.toggle('occupied', count > 0);
    }
  }
}
