/** The types of files that can be imported, by the ending of their names. */
const TYPES = { csv: 'text/csv', json: 'application/json', yaml: 'application/yaml', yml: 'application/yaml' };

/** Endings of such files, as a file chooser takes them. */
export const ENDINGS = Object.keys(TYPES).map((ending) => `.${ending}`).join(',');

/** Bytes that the server takes. */
export const MOST_BYTES = 1_000_000;

/** The type of a file; undefined where it can't be imported. */
export function typeOf(name) {
  return TYPES[name.split('.').at(-1).toLowerCase()];
}

/** The number of items that an import writes. */
export function written(preview) {
  return preview.new + preview.changed + preview.removed;
}
