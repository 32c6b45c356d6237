import { h, replace, s } from '../dom.js';
import { boxOf, centre, contains } from '../geometry.js';
import { formatNumber, t } from '../i18n.js';
import { throttled } from '../scope.js';
import { doorPlace, snap, walls } from './snap.js';

const REACH_PIXELS = 11;
const LEAST_SCALE = 4;
const MOST_SCALE = 400;
const MARGIN = 48;

/**
 * The drawing of one floor, which pointers change. `source()` gives its content: `{rooms, doors, nodes, picture, selection,
 * tool, mayEdit, door}`; rooms and nodes that are `locked` stay where they are. `on` has a function for each action:
 * `select`, `finish(polygon)`, `moveCorner`, `moveRoom`, `addCorner`, `moveNode`, `place(point)`, `door(room)`, `scale(a, b)`,
 * and `rest` at the end of a drag.
 */
export class PlanCanvas {
  element = h('div.plan-canvas');
  #svg = s('svg.plan-drawing', { tabindex: '0', role: 'application' });
  #source;
  #on;
  #scale = 40;
  #origin = [MARGIN, MARGIN];
  #corners = [];
  #pointer = null;
  #drag = null;
  #touches = new Map();
  #touched = false;

  constructor(scope, source, on, label) {
    this.#source = source;
    this.#on = on;
    this.#svg.setAttribute('aria-label', label);
    this.element.append(this.#svg);
    const listen = (type, action, options) => scope.listen(this.#svg, type, action, options);
    listen('pointerdown', (event) => this.#down(event));
    listen('pointermove', (event) => this.#move(event));
    listen('pointerup', (event) => this.#up(event));
    listen('pointercancel', (event) => this.#up(event));
    listen('dblclick', () => this.finish());
    listen('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), this.#pixels(event));
    }, { passive: false });
    scope.observeSize(this.element, throttled(60, () => {
      if (!this.#touched) this.fit();
      else this.draw();
    }));
  }

  /** The point in the middle of what is seen, in metres. */
  get middle() { return this.#metres([this.element.clientWidth / 2, this.element.clientHeight / 2]); }

  /** True while a room or a length is being drawn. */
  get isDrawing() { return this.#corners.length > 0; }

  focus() { this.#svg.focus(); }

  /** Shows the whole floor. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const { rooms, nodes, picture } = this.#source();
    const points = [...rooms.flatMap((room) => room.polygon), ...nodes.map((node) => [node.x, node.y])];
    if (picture) points.push([0, 0], picture.metres);
    if (!points.length) points.push([0, 0], [10, 7]);
    const box = boxOf(points);
    const [w, d] = [Math.max(box.width, 2), Math.max(box.height, 2)];
    this.#scale = Math.min((width - 2 * MARGIN) / w, (height - 2 * MARGIN) / d, 160);
    this.#origin = [width / 2 - (box.x + box.width / 2) * this.#scale, height / 2 - (box.y + box.height / 2) * this.#scale];
    this.draw();
  }

  /** Grows or shrinks the drawing about a point on the screen. */
  zoom(factor, at = [this.element.clientWidth / 2, this.element.clientHeight / 2]) {
    this.#touched = true;
    const scale = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, this.#scale * factor));
    const ratio = scale / this.#scale;
    this.#origin = [0, 1].map((axis) => at[axis] - (at[axis] - this.#origin[axis]) * ratio);
    this.#scale = scale;
    this.draw();
  }

  /** Ends a room that has three corners or more. */
  finish() {
    if (this.#source().tool !== 'room') return;
    // A double click has put its corner twice.
    const corners = this.#corners.filter((corner, index, all) => index === 0 || Math.hypot(corner[0] - all[index - 1][0], corner[1] - all[index - 1][1]) > 0.02);
    if (corners.length < 3) return;
    this.cancel();
    this.#on.finish(corners);
  }

  /** Gives up what is being drawn; true if there was something. */
  cancel() {
    const was = this.#corners.length > 0;
    this.#corners = [];
    this.draw();
    return was;
  }

  /** Takes the last corner back; true if there was one. */
  takeBack() {
    if (!this.#corners.length) return false;
    this.#corners.pop();
    this.draw();
    return true;
  }

  #pixels(event) {
    const box = this.#svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #metres(pixels) { return [0, 1].map((axis) => (pixels[axis] - this.#origin[axis]) / this.#scale); }
  #screen(point) { return [0, 1].map((axis) => point[axis] * this.#scale + this.#origin[axis]); }

  #snapped(event, { anchors = [], without } = {}) {
    const point = this.#metres(this.#pixels(event));
    if (event.altKey) return { point, kind: 'free', lines: [] };
    const polygons = this.#source().rooms.filter((room) => room.id !== without).map((room) => room.polygon);
    return snap(point, { polygons, anchors, reach: REACH_PIXELS / this.#scale });
  }

  /** The first and the last corner of the room that is being drawn. */
  #ends() { return [this.#corners[0], this.#corners.at(-1)].filter(Boolean); }

  // Pointers.

  #down(event) {
    if (event.button > 1) return;
    this.#svg.setPointerCapture(event.pointerId);
    this.#touches.set(event.pointerId, this.#pixels(event));
    if (this.#touches.size === 2) {
      this.#drag = null;
      return;
    }
    this.#touched = true;
    const { tool, mayEdit } = this.#source();
    const at = this.#pixels(event);
    const grab = event.target.closest('[data-grab]')?.dataset;
    this.#drag = { from: at, last: at, begin: this.#metres(at), moved: false, kind: 'pan' };
    if (event.button === 1 || !mayEdit || tool !== 'select' || !grab) return;
    this.#drag = { ...this.#drag, kind: grab.locked ? 'pan' : grab.grab, id: grab.id, index: Number(grab.index) };
    if (this.#drag.kind === 'middle') {
      this.#on.addCorner(grab.id, this.#drag.index, this.#metres(at));
      this.#drag = { ...this.#drag, kind: 'corner', index: this.#drag.index + 1 };
    }
  }

  #move(event) {
    const at = this.#pixels(event);
    if (this.#touches.has(event.pointerId)) {
      if (this.#touches.size === 2) return this.#pinch(event, at);
      this.#touches.set(event.pointerId, at);
    }
    const drag = this.#drag;
    if (!drag) {
      this.#hover(event);
      return;
    }
    if (!drag.moved && Math.hypot(at[0] - drag.from[0], at[1] - drag.from[1]) < 5) return;
    drag.moved = true;
    if (drag.kind === 'pan') {
      this.#origin = [0, 1].map((axis) => this.#origin[axis] + at[axis] - drag.last[axis]);
      drag.last = at;
      this.draw();
    } else if (drag.kind === 'corner') {
      const polygon = this.#source().rooms.find((room) => room.id === drag.id).polygon;
      const count = polygon.length;
      const anchors = [polygon[(drag.index + count - 1) % count], polygon[(drag.index + 1) % count]];
      const found = this.#snapped(event, { anchors, without: drag.id });
      this.#pointer = found;
      this.#on.moveCorner(drag.id, drag.index, found.point);
    } else if (drag.kind === 'room') this.#moveRoom(event, drag);
    else if (drag.kind === 'node') this.#on.moveNode(drag.id, this.#metres(at));
  }

  /** Moves a room so that one of its corners snaps: the one that comes nearest to something. */
  #moveRoom(event, drag) {
    const { rooms } = this.#source();
    drag.polygon ??= rooms.find((room) => room.id === drag.id).polygon;
    const now = this.#metres(this.#pixels(event));
    const by = [0, 1].map((axis) => now[axis] - drag.begin[axis]);
    const moved = drag.polygon.map((corner) => [corner[0] + by[0], corner[1] + by[1]]);
    const polygons = rooms.filter((room) => room.id !== drag.id).map((room) => room.polygon);
    const shifts = event.altKey ? [] : moved.map((corner) => {
      const found = snap(corner, { polygons, reach: REACH_PIXELS / this.#scale });
      return { rank: ['corner', 'wall', 'line', 'grid'].indexOf(found.kind), by: [found.point[0] - corner[0], found.point[1] - corner[1]] };
    }).sort((a, b) => a.rank - b.rank || Math.hypot(...a.by) - Math.hypot(...b.by));
    const extra = shifts[0]?.by ?? [0, 0];
    this.#on.moveRoom(drag.id, moved.map((corner) => [corner[0] + extra[0], corner[1] + extra[1]]));
  }

  #pinch(event, at) {
    const other = [...this.#touches].find(([id]) => id !== event.pointerId)[1];
    const before = this.#touches.get(event.pointerId);
    const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    this.#touches.set(event.pointerId, at);
    this.#origin = [0, 1].map((axis) => this.#origin[axis] + (at[axis] - before[axis]) / 2);
    this.zoom(far(at, other) / Math.max(1, far(before, other)), [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
  }

  #up(event) {
    this.#touches.delete(event.pointerId);
    const drag = this.#drag;
    this.#drag = null;
    this.#pointer = null;
    if (!drag) return;
    if (drag.moved || drag.kind === 'corner') this.#on.rest();
    if (!drag.moved && event.type === 'pointerup') this.#click(event);
    this.draw();
  }

  #click(event) {
    const { tool, mayEdit, rooms } = this.#source();
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-grab]')?.dataset;
    const point = this.#metres(this.#pixels(event));
    const under = rooms.find((room) => contains(room.polygon, ...point))?.id ?? null;
    if (!mayEdit || tool === 'select') {
      const isNode = target?.grab === 'node';
      return this.#on.select(isNode ? { kind: 'node', id: target.id } : target?.grab === 'corner' ? { kind: 'room', id: target.id, corner: Number(target.index) } : under ? { kind: 'room', id: under } : null);
    }
    if (tool === 'door') return under && this.#on.door(under);
    if (tool === 'node') return this.#on.place(point);
    if (tool === 'scale') {
      this.#corners.push(point);
      if (this.#corners.length === 2) this.#on.scale(...this.#corners.splice(0));
      return undefined;
    }
    const found = this.#snapped(event, { anchors: this.#ends() });
    const first = this.#corners[0];
    if (this.#corners.length > 2 && Math.hypot(first[0] - found.point[0], first[1] - found.point[1]) < REACH_PIXELS / this.#scale) return this.finish();
    this.#corners.push(found.point);
    return undefined;
  }

  #hover(event) {
    const { tool } = this.#source();
    if (tool !== 'room' && tool !== 'scale') return;
    this.#pointer = tool === 'room' ? this.#snapped(event, { anchors: this.#ends() }) : { point: this.#metres(this.#pixels(event)), lines: [] };
    this.draw();
  }

  // Drawing.

  /** Draws all anew. */
  draw() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const view = this.#source();
    this.#svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#svg.dataset.tool = view.mayEdit ? view.tool : 'look';
    replace(this.#svg, this.#grid(width, height), this.#picture(view.picture), inOrder(view).map((room) => this.#room(room, view)), this.#doors(view), view.nodes.map((node) => this.#node(node, view)), this.#handles(view), this.#unfinished(view), this.#ruler(height));
  }

  #points(polygon) { return polygon.map((point) => this.#screen(point).map((value) => value.toFixed(1)).join(',')).join(' '); }

  #picture(picture) {
    if (!picture) return null;
    const [x, y] = this.#screen([0, 0]);
    return s('image.plan-picture', { href: picture.address, x, y, width: picture.metres[0] * this.#scale, height: picture.metres[1] * this.#scale, preserveAspectRatio: 'none' });
  }

  #grid(width, height) {
    const step = [0.1, 0.5, 1, 5, 10, 50].find((size) => size * this.#scale > 18) ?? 100;
    const lines = [];
    for (let x = Math.ceil(-this.#origin[0] / this.#scale / step) * step; this.#screen([x, 0])[0] < width; x += step) lines.push(`M${this.#screen([x, 0])[0].toFixed(1)} 0V${height}`);
    for (let y = Math.ceil(-this.#origin[1] / this.#scale / step) * step; this.#screen([0, y])[1] < height; y += step) lines.push(`M0 ${this.#screen([0, y])[1].toFixed(1)}H${width}`);
    return s('path.plan-grid', { d: lines.join('') });
  }

  #room(room, { selection, door }) {
    const chosen = selection?.kind === 'room' && selection.id === room.id;
    const middle = centre(room.polygon);
    const [x, y] = this.#screen([middle.x, middle.y]);
    const names = ['plan-shape', chosen || door === room.id ? 'chosen' : '', room.locked ? 'locked' : '', room.bad ? 'bad' : ''].filter(Boolean).join('.');
    const wide = boxOf(room.polygon).width * this.#scale;
    return s(`g.${names}`, {},
      s('polygon', { points: this.#points(room.polygon), 'data-grab': 'room', 'data-id': room.id, 'data-locked': room.locked }),
      s('text', { x, y, 'text-anchor': 'middle' }, shortened(room.title, wide / 8)),
      wide > 76 ? s('text.plan-area', { x, y: y + 16, 'text-anchor': 'middle' }, room.area) : null,
      room.locked ? s('use.plan-lock', { href: 'icons.svg#lock', x: x - 7, y: y + (wide > 76 ? 21 : 5), width: 14, height: 14 }) : null);
  }

  #doors({ rooms, doors }) {
    const byID = new Map(rooms.map((room) => [room.id, room]));
    return doors.filter(([one, other]) => byID.has(one) && byID.has(other)).map(([one, other]) => {
      const place = doorPlace(byID.get(one).polygon, byID.get(other).polygon);
      if (!place) return null;
      const [x, y] = this.#screen(place);
      return s('g.plan-door', { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, s('title', {}, `${byID.get(one).title} – ${byID.get(other).title}`), s('circle', { r: 7 }), s('path', { d: 'M-3 0H3M-3 -2.6V2.6M3 -2.6V2.6' }));
    });
  }

  #node(node, { selection }) {
    const [x, y] = this.#screen([node.x, node.y]);
    const chosen = selection?.kind === 'node' && selection.id === node.id;
    return s(`g.plan-gateway${chosen ? '.chosen' : ''}${node.locked ? '.locked' : ''}${node.bad ? '.bad' : ''}`, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, 'data-grab': 'node', 'data-id': node.id, 'data-locked': node.locked },
      s('circle.plan-hit', { r: 18 }), s('circle', { r: 9 }), s('path', { d: 'M-3.6 -1.2A5 5 0 0 1 3.6 -1.2M0 2.6V2.4' }), s('text', { y: 23, 'text-anchor': 'middle' }, node.id));
  }

  #handles({ rooms, selection, mayEdit, tool }) {
    const room = selection?.kind === 'room' && mayEdit && tool === 'select' ? rooms.find((other) => other.id === selection.id && !other.locked) : null;
    if (!room) return null;
    const at = (point) => this.#screen(point).map((value) => value.toFixed(1));
    const lengths = walls(room.polygon).map(([a, b], index) => {
      const length = Math.hypot(a[0] - b[0], a[1] - b[1]);
      const [x, y] = at([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
      return s('g', {}, s('circle.plan-middle', { cx: x, cy: y, r: 6, 'data-grab': 'middle', 'data-id': room.id, 'data-index': index }),
        length * this.#scale > 60 ? s('text.plan-length', { x, y: Number(y) - 10, 'text-anchor': 'middle' }, t('unit.m', { n: formatNumber(length, 2) })) : null);
    });
    const corners = room.polygon.map((point, index) => {
      const [x, y] = at(point);
      return s('g', { 'data-grab': 'corner', 'data-id': room.id, 'data-index': index }, s('circle.plan-hit', { cx: x, cy: y, r: 16 }), s(`circle.plan-corner${selection.corner === index ? '.chosen' : ''}`, { cx: x, cy: y, r: 7 }));
    });
    const guides = (this.#drag?.moved ? this.#pointer?.lines ?? [] : []).map((line) => this.#guide(line, this.#pointer.point));
    return [guides, lengths, corners];
  }

  #guide(from, to) {
    const [[x1, y1], [x2, y2]] = [this.#screen(from), this.#screen(to)];
    return s('line.plan-guide', { x1, y1, x2, y2 });
  }

  #unfinished({ tool, mayEdit }) {
    if (!mayEdit || (tool !== 'room' && tool !== 'scale')) return null;
    const pointer = this.#pointer;
    const line = pointer ? [...this.#corners, pointer.point] : this.#corners;
    const last = this.#corners.at(-1);
    const length = last && pointer ? Math.hypot(last[0] - pointer.point[0], last[1] - pointer.point[1]) : 0;
    const cursor = pointer ? this.#screen(pointer.point) : null;
    return [
      (pointer?.lines ?? []).map((from) => this.#guide(from, pointer.point)),
      line.length > 1 ? s(tool === 'scale' ? 'polyline.plan-rule' : 'polyline.plan-new', { points: this.#points(line) }) : null,
      this.#corners.map((corner, index) => s(`circle.plan-corner${index === 0 ? '.first' : ''}`, { cx: this.#screen(corner)[0], cy: this.#screen(corner)[1], r: 6 })),
      cursor ? s(`circle.plan-cursor${pointer.kind ? `.${pointer.kind}` : ''}`, { cx: cursor[0], cy: cursor[1], r: 5 }) : null,
      length > 0.05 && tool === 'room' ? s('text.plan-length', { x: cursor[0] + 12, y: cursor[1] - 12 }, t('unit.m', { n: formatNumber(length, 2) })) : null,
    ];
  }

  #ruler(height) {
    const metres = [0.5, 1, 2, 5, 10, 20, 50].find((size) => size * this.#scale > 60) ?? 100;
    const width = metres * this.#scale;
    return s('g.plan-scale', { transform: `translate(14 ${height - 16})` }, s('path', { d: `M0 -5V0H${width.toFixed(1)}V-5` }), s('text', { x: width / 2, y: -6, 'text-anchor': 'middle' }, t('unit.m', { n: formatNumber(metres, 1) })));
  }
}

/** The rooms with the chosen one at the end, above the others. */
function inOrder({ rooms, selection }) {
  return [...rooms].sort((a, b) => (a.id === selection?.id) - (b.id === selection?.id));
}

function shortened(text, letters) {
  const most = Math.max(2, Math.floor(letters));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
