/** Milliseconds for which a pointer that rests, or the last key, holds a list; and those after a pointer has left. */
const REST = 5000;
const LEFT = 500;

/**
 * Tells while somebody is about to choose from a list, so that nothing moves under the pointer or the focus: while a pointer
 * moves in `element` or keys are pressed there, and for five seconds more. `released()` is called at the end of that.
 */
export class Hold {
  #until = 0;
  #timer = 0;
  #released;

  constructor(scope, element, released) {
    this.#released = released;
    for (const type of ['pointerenter', 'pointermove', 'pointerdown', 'keydown', 'focusin']) scope.listen(element, type, () => this.#extend(REST), { passive: true });
    scope.listen(element, 'pointerleave', () => { if (this.active) this.#extend(LEFT); });
    scope.add(() => clearTimeout(this.#timer));
  }

  /** True while the order must stay. */
  get active() {
    return performance.now() < this.#until;
  }

  #extend(milliseconds) {
    this.#until = performance.now() + milliseconds;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#released(), milliseconds + 1);
  }
}

/** A list in the order in which its keys were shown before; what is new comes last. */
export function inHeldOrder(before, list, key) {
  const place = new Map(before.map((name, index) => [name, index]));
  const order = (entry) => place.get(key(entry)) ?? Infinity;
  return [...list].sort((a, b) => order(a) - order(b) || 0);
}
