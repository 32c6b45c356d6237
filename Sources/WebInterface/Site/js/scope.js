/** A lifetime: all that a view started ends with it. */
export class Scope {
  #ends = [];

  /** Adds an action that ends something. */
  add(end) {
    this.#ends.push(end);
    return end;
  }

  /** Calls `action` every so many milliseconds while the page is visible. */
  every(milliseconds, action) {
    const timer = setInterval(() => { if (!document.hidden) action(); }, milliseconds);
    this.add(() => clearInterval(timer));
  }

  /** Listens to an event. */
  listen(target, type, listener, options) {
    target.addEventListener(type, listener, options);
    this.add(() => target.removeEventListener(type, listener, options));
  }

  /** Calls `action` when the element's size changes. */
  observeSize(element, action) {
    const observer = new ResizeObserver(action);
    observer.observe(element);
    this.add(() => observer.disconnect());
  }

  /** Ends everything, the latest first. */
  dispose() {
    for (const end of this.#ends.splice(0).reverse()) end();
  }
}

/** A function that calls `action` at most once in so many milliseconds, and once more after the last call. */
export function throttled(milliseconds, action) {
  let last = -Infinity;
  let timer = 0;
  const run = () => {
    timer = 0;
    last = performance.now();
    action();
  };
  return () => {
    if (timer) return;
    const wait = milliseconds - (performance.now() - last);
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}
