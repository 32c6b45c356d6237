import { h } from '../dom.js';
import { t } from '../i18n.js';

const MOST = 8;
const STEP = 1.5;
/** Pixels that a pointer moves before that counts as a drag rather than a click. */
const SLACK = 5;
/** The share of the space by which an arrow key moves. */
const KEY_STEP = 0.2;

/** A view that fills its space: `x` and `y` are pixels by which what is enlarged is shifted. */
export const WHOLE = { scale: 1, x: 0, y: 0 };

/** A view with another scale whose point `[x, y]` stays where it is. */
export function zoomed(view, scale, [x, y], space) {
  const next = Math.min(MOST, Math.max(1, scale));
  const ratio = next / view.scale;
  return held({ scale: next, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }, space);
}

/** A view moved by pixels. */
export function moved(view, dx, dy, space) {
  return held({ scale: view.scale, x: view.x + dx, y: view.y + dy }, space);
}

/** A view that leaves no empty margin in its space `{width, height}`. */
function held({ scale, x, y }, { width, height }) {
  const within = (shift, length) => Math.min(0, Math.max(length * (1 - scale), shift));
  return { scale, x: within(x, width), y: within(y, height) };
}

/** Zooms and moves the plan by wheel with Ctrl, by two fingers, by dragging, by keys and by buttons. */
export class PlanView {
  view = WHOLE;
  element = h('div.plan-zoom', { role: 'group', 'aria-label': t('plan.zoom') });
  #target;
  #space = { width: 1, height: 1 };
  #changed;
  #pointers = new Map();
  #from = null;
  #dragged = false;
  #buttons = new Map();

  /** `target` is the element that is moved in; `changed()` is called with each new view. */
  constructor(scope, target, changed) {
    this.#target = target;
    this.#changed = changed;
    const button = (name, sign, action) => {
      const element = h('button', { type: 'button', 'aria-label': t(`plan.${name}`), title: t(`plan.${name}`), on: { click: action } }, sign);
      this.#buttons.set(name, element);
      this.element.append(element);
    };
    button('in', '+', () => this.#zoomAtMiddle(STEP));
    button('out', '−', () => this.#zoomAtMiddle(1 / STEP));
    button('whole', '⤢', () => this.reset());
    scope.listen(target, 'wheel', (event) => this.#wheel(event), { passive: false });
    scope.listen(target, 'keydown', (event) => this.#key(event));
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) scope.listen(target, type, (event) => this.#pointer(event));
    scope.listen(target, 'click', (event) => this.#click(event), { capture: true });
    this.#mark();
  }

  /** Takes the size of the space in pixels. */
  setSpace(width, height) {
    this.#space = { width, height };
    this.view = moved(this.view, 0, 0, this.#space);
  }

  /** Shows all. */
  reset() {
    this.#set(WHOLE);
  }

  #set(view) {
    if (view.scale === this.view.scale && view.x === this.view.x && view.y === this.view.y) return;
    this.view = view;
    this.#mark();
    this.#changed();
  }

  /** A button that has lost its use stays focusable, so that the focus is not lost with it. */
  #mark() {
    const { scale } = this.view;
    this.#target.classList.toggle('zoomed', scale > 1);
    this.#buttons.get('in').setAttribute('aria-disabled', String(scale >= MOST));
    for (const name of ['out', 'whole']) this.#buttons.get(name).setAttribute('aria-disabled', String(scale <= 1));
  }

  #zoomAtMiddle(factor) {
    this.#set(zoomed(this.view, this.view.scale * factor, [this.#space.width / 2, this.#space.height / 2], this.#space));
  }

  #at(event) {
    const box = this.#target.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.#set(zoomed(this.view, this.view.scale * Math.exp(-event.deltaY / 240), this.#at(event), this.#space));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (dx, dy) => () => this.#set(moved(this.view, dx * KEY_STEP * this.#space.width, dy * KEY_STEP * this.#space.height, this.#space));
    const actions = {
      '+': () => this.#zoomAtMiddle(STEP), '=': () => this.#zoomAtMiddle(STEP), '-': () => this.#zoomAtMiddle(1 / STEP), 0: () => this.reset(),
      ArrowLeft: step(1, 0), ArrowRight: step(-1, 0), ArrowUp: step(0, 1), ArrowDown: step(0, -1),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    if (event.key.startsWith('Arrow') && this.view.scale === 1) return;
    event.preventDefault();
    actions[event.key]();
  }

  #pointer(event) {
    if (event.type === 'pointerdown') {
      if (event.target.closest('.plan-zoom') || event.button > 0) return;
      this.#pointers.set(event.pointerId, this.#at(event));
      this.#from = this.#at(event);
      this.#dragged = false;
    } else if (event.type !== 'pointermove') this.#pointers.delete(event.pointerId);
    else if (this.#pointers.has(event.pointerId)) this.#drag(event);
  }

  #drag(event) {
    const before = [...this.#pointers.values()];
    const at = this.#at(event);
    const last = this.#pointers.get(event.pointerId);
    if (!this.#dragged) {
      if (this.#pointers.size < 2 && Math.hypot(at[0] - this.#from[0], at[1] - this.#from[1]) < SLACK) return;
      this.#dragged = true;
      if (this.view.scale > 1 || this.#pointers.size > 1) this.#target.setPointerCapture(event.pointerId);
    }
    this.#pointers.set(event.pointerId, at);
    const after = [...this.#pointers.values()];
    if (before.length === 2) {
      const distance = ([a, b]) => Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]));
      const middle = [(after[0][0] + after[1][0]) / 2, (after[0][1] + after[1][1]) / 2];
      this.#set(zoomed(this.view, (this.view.scale * distance(after)) / distance(before), middle, this.#space));
    } else if (this.view.scale > 1) this.#set(moved(this.view, at[0] - last[0], at[1] - last[1], this.#space));
  }

  /** The click that ends a drag chooses nothing. */
  #click(event) {
    if (!this.#dragged || this.view.scale === 1 || event.target.closest('.plan-zoom')) return;
    this.#dragged = false;
    event.stopPropagation();
  }
}
