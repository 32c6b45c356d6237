/** Entries of the registry as a form shows them. */

/** Kinds of identity by which an item can be registered here, and the fields of each. */
export const KINDS = {
  ibeacon: ['uuid', 'major', 'minor'],
  altbeacon: ['uuid', 'major', 'minor'],
  eddystone_uid: ['namespace', 'instance'],
  address: ['address'],
  key: ['key'],
};

/** Kinds of key. */
export const KEYS = ['irk', 'eid', 'fmdn', 'bthome'];

const FORMS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  namespace: /^[0-9a-f]{20}$/,
  instance: /^[0-9a-f]{12}$/,
  address: /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/,
};

/** An id made of a name: small letters, digits, `_` and `-`; empty where the name has none of them. */
export function idFrom(name) {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/['’]/g, '').toLowerCase().replace(/[^a-z0-9_]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 64);
}

/** Tells whether a text can be an id. */
export function isID(text) {
  return /^[a-z0-9_-]{1,64}$/.test(text);
}

/** The kind of identity of an entry; null for none. */
export function kindOf(entry) {
  return Object.keys(KINDS).find((kind) => entry[kind] !== undefined) ?? null;
}

/** Reads words separated by commas or spaces. */
export function words(text) {
  return [...new Set(text.split(/[\s,、，]+/).filter(Boolean))];
}

function readNumber(text) {
  return text.trim() === '' ? undefined : Number(text.replace(',', '.'));
}

/** The value of a field of an identity, or undefined where it can't be one. */
export function readField(name, text) {
  const value = text.trim().toLowerCase();
  if (name === 'major' || name === 'minor') return /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined;
  if (name === 'key') return KEYS.includes(value) ? value : undefined;
  if (name === 'uuid' && /^[0-9a-f]{32}$/.test(value)) return value.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  if (name === 'address' && /^[0-9a-f]{12}$/.test(value)) return value.match(/../g).join(':');
  return FORMS[name].test(value) ? value : undefined;
}

/**
 * Makes an entry of a form's texts. Returns `{entry}`, or `{faults}`: names of fields that can't be read.
 * `before` is the entry that is changed: what the form does not show stays.
 */
export function readEntry(form, before = null) {
  const faults = [];
  const entry = { ...before, v: 1, id: form.id };
  delete entry.at;
  if (!isID(form.id)) faults.push('id');
  if (form.name.trim()) entry.name = form.name.trim();
  else faults.push('name');
  const tags = words(form.tags);
  if (tags.length) entry.tags = tags;
  else delete entry.tags;
  for (const [name, least, most] of [['expected_interval', 0.01, 86_400], ['power', -127, 20]]) {
    const value = readNumber(form[name]);
    if (value === undefined) delete entry[name];
    else if (value >= least && value <= most) entry[name] = value;
    else faults.push(name);
  }
  if (!before) {
    const fields = KINDS[form.kind];
    const values = Object.fromEntries(fields.map((name) => [name, readField(name, form[name] ?? '')]));
    for (const name of fields) if (values[name] === undefined) faults.push(name);
    Object.assign(entry, fields.length > 1 ? { [form.kind]: values } : values);
  }
  return faults.length ? { faults } : { entry };
}
