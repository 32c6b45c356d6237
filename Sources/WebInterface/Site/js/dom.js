/** Builders of elements. Text always becomes a text node, so that a name can never become markup. */

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    else if (name === 'style') for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === 'value' || name === 'checked' || name === 'disabled') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(2)) {
    if (child === null || child === undefined || child === false || child === '') continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Makes an HTML element. `name` is a tag with optional classes: `div.card.wide`. `on` holds listeners, `style` properties. */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  return fill(element, properties, children);
}

/** Makes an SVG element in the way of `h`. */
export function s(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElementNS(SVG, tag);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  return fill(element, attributes, children);
}

/** Makes a decorative icon of `icons.svg`. */
export function icon(name) {
  return s('svg.icon', { 'aria-hidden': 'true', viewBox: '0 0 24 24' }, s('use', { href: `icons.svg#${name}` }));
}

/** Replaces all children of an element. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** Sets the text of an element if it differs. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Gives a text of a media type to the browser as a file to save. */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const styles = new Map();

/** Loads `css/<name>.css` once; done when it holds. */
export function loadStyle(name) {
  if (!styles.has(name)) {
    styles.set(name, new Promise((resolve) => {
      document.head.append(h('link', { rel: 'stylesheet', href: `css/${name}.css`, on: { load: resolve, error: resolve } }));
    }));
  }
  return styles.get(name);
}

const kept = new WeakMap();

/**
 * Makes the children of `parent` follow `list`, and keeps the element of each key.
 * `make(entry)` builds an element, `update(element, entry)` refreshes it.
 */
export function reconcile(parent, list, key, make, update = () => {}) {
  const before = kept.get(parent) ?? new Map();
  const after = new Map();
  let place = parent.firstChild;
  for (const entry of list) {
    const id = key(entry);
    const element = before.get(id) ?? make(entry);
    before.delete(id);
    update(element, entry);
    after.set(id, element);
    if (element === place) place = place.nextSibling;
    else parent.insertBefore(element, place);
  }
  for (const element of before.values()) element.remove();
  kept.set(parent, after);
  return after;
}
