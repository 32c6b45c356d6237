import { h, reconcile } from '../dom.js';

/** A list of very many rows of one height, of which only those in view exist. */
export class VirtualList {
  #height;
  #make;
  #update;
  #ids = [];
  #rows = h('div.virtual-rows', { role: 'list' });
  element = h('div.virtual', { tabindex: '0' }, this.#rows);

  /** `make(id)` builds a row of `height` pixels, `update(row, id)` refreshes it. */
  constructor(scope, height, label, make, update) {
    this.#height = height;
    this.#make = make;
    this.#update = update;
    this.element.setAttribute('aria-label', label);
    this.element.setAttribute('role', 'group');
    scope.listen(this.element, 'scroll', () => this.#draw(), { passive: true });
    scope.observeSize(this.element, () => this.#draw());
  }

  /** Shows these rows. */
  show(ids) {
    this.#ids = ids;
    this.#rows.style.setProperty('height', `${ids.length * this.#height}px`);
    this.#draw();
  }

  #draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.#height) - 4);
    const number = Math.ceil(this.element.clientHeight / this.#height) + 8;
    const ids = this.#ids.slice(first, first + number);
    reconcile(this.#rows, ids, (id) => id, (id) => h('div.virtual-row', { role: 'listitem' }, this.#make(id)), (row, id) => this.#update(row.firstChild, id));
    [...this.#rows.children].forEach((row, index) => row.style.setProperty('transform', `translateY(${(first + index) * this.#height}px)`));
  }
}
