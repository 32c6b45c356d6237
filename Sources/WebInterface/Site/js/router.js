/** Addresses of views, in the fragment: `#/live/keys`. */

/** Splits a fragment into the view's name and its parameters. */
export function parse(fragment) {
  const [name, ...parameters] = fragment.replace(/^#\/?/, '').split('/').map(decode);
  return { name: name || 'live', parameters };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a view. */
export function link(name, ...parameters) {
  return `#/${[name, ...parameters].map(encodeURIComponent).join('/')}`;
}

/** Goes to a view. */
export function go(name, ...parameters) {
  location.hash = link(name, ...parameters);
}
