import { api } from '../api.js';
import { attempt, confirmed, notify } from '../components/notice.js';
import { h, icon, replace, setText } from '../dom.js';
import { itemName } from '../house.js';
import { t } from '../i18n.js';
import { idFrom, KEYS, kindOf, KINDS, readEntry } from '../registry.js';
import { go, link } from '../router.js';
import { store } from '../store.js';

/** The form of an entry of the registry; of a new one for null, with what is known of it from `found`. */
export function itemForm(id, found = null) {
  const entry = id ? store.items.get(id)?.config : null;
  const top = h('div.walk-top', {}, h('a.icon-button', { href: link('items'), 'aria-label': t('action.back') }, icon('back')));
  if (id && !entry) return [top, h('h1', { tabindex: '-1' }, itemName(id)), h('p.hint', {}, t('items.gone'))];
  const fields = new Map();
  const fault = h('p.fault', { role: 'alert' });
  const field = (name, value = '', properties = {}, hint = null) => {
    const input = h('input.field', { id: `field-${name}`, name, value: String(value), autocomplete: 'off', spellcheck: 'false', 'aria-describedby': hint ? `hint-${name}` : null, disabled: !api.mayWrite, ...properties });
    fields.set(name, input);
    return h('div.row', {}, h('label', { for: `field-${name}` }, t(`field.${name}`)), input, hint ? h('p.hint', { id: `hint-${name}` }, hint) : null);
  };
  const identity = h('div.form');
  const kind = h('select.field', { id: 'field-kind', on: { change: () => showIdentity() } }, Object.keys(KINDS).map((name) => h('option', { value: name }, t(`kind.${name}`))));
  const showIdentity = () => {
    replace(identity, kind.value === 'key' ? [keyField(fields), h('p.hint', {}, t('items.keyhint'))] : KINDS[kind.value].map((name) => field(name, '', { placeholder: PLACEHOLDERS[name] ?? null })));
  };

  const save = async (event) => {
    event.preventDefault();
    for (const input of fields.values()) input.removeAttribute('aria-invalid');
    const values = { kind: kind.value, id, ...Object.fromEntries([...fields].map(([name, input]) => [name, input.value])) };
    const { entry: written, faults } = readEntry(values, entry);
    if (faults) {
      for (const name of faults) fields.get(name)?.setAttribute('aria-invalid', 'true');
      fields.get(faults[0])?.focus();
      setText(fault, faults.map((name) => t(`fault.${name}`)).join(' '));
      return;
    }
    if (!entry && store.items.get(written.id)?.config) return setText(fault, t('items.exists', { id: written.id }));
    setText(fault, '');
    if (!await attempt(() => api.putItem(written.id, written))) return;
    notify(t('items.saved', { name: written.name }));
    if (entry) go('items');
    else go('live', written.id);
  };

  const remove = async () => {
    // Once it is removed, nothing knows its name any more.
    const name = itemName(id);
    if (!await confirmed(t('items.remove.ask', { name }), t('items.remove'))) return;
    if (!await attempt(() => api.removeItem(id))) return;
    notify(t('items.removed', { name }));
    go('items');
  };

  const name = field('name', entry?.name ?? '', { required: true });
  const idField = entry ? null : field('id', '', {}, t('items.idhint'));
  if (!entry) {
    let own = false;
    fields.get('id').addEventListener('input', () => { own = true; });
    fields.get('name').addEventListener('input', () => { if (!own) fields.get('id').value = idFrom(fields.get('name').value); });
    if (found) kind.value = kindOf(found);
    showIdentity();
    if (found) fillIn(fields, found);
  }
  const holding = entry || !api.mayWrite ? null : found ? h('p.done-all', {}, icon('check'), t('items.found')) : h('div.buttons', {}, h('a.button.big', { href: link('enrol') }, icon('nodes'), t('nav.enrol')));
  return [top, h('h1', { tabindex: '-1' }, entry ? itemName(id) : t('items.add')), holding,
    h('form.form', { novalidate: true, on: { submit: save } }, name, idField, field('tags', (entry?.tags ?? []).join(' '), {}, t('items.tagshint')),
      entry ? h('dl.facts', {}, h('dt', {}, 'ID'), h('dd', {}, h('code', {}, id)), identityFacts(entry)) : [h('div.row', {}, h('label', { for: 'field-kind' }, t('field.kind')), kind), identity],
      h('details', { open: entry?.expected_interval !== undefined || entry?.power !== undefined }, h('summary', {}, t('items.more')), h('div.form', {}, field('expected_interval', entry?.expected_interval ?? '', { inputmode: 'decimal' }, t('items.intervalhint')), field('power', entry?.power ?? '', { inputmode: 'text' }, t('items.powerhint')))),
      fault,
      api.mayWrite ? h('div.buttons', {}, h('button.button.primary', { type: 'submit' }, t('action.save')), h('a.button', { href: link('items') }, t('action.cancel')),
        entry ? h('button.button', { type: 'button', on: { click: remove } }, icon('remove'), t('items.remove')) : null) : h('p.hint', {}, t('error.viewer')))];
}

/** Fills in the identity of a tag, and its name. */
function fillIn(fields, found) {
  const identity = found[kindOf(found)];
  for (const [name, value] of Object.entries(typeof identity === 'object' ? identity : { [kindOf(found)]: identity })) fields.get(name).value = String(value);
  if (!found.name) return;
  fields.get('name').value = found.name;
  fields.get('id').value = idFrom(found.name);
}

const PLACEHOLDERS = { uuid: '48534442-4c45-4144-80c0-1800fffffff0', major: '100', minor: '1', namespace: '00112233445566778899', instance: '0123456789ab', address: 'aa:bb:cc:dd:ee:ff' };

function keyField(fields) {
  const select = h('select.field', { id: 'field-key' }, KEYS.map((key) => h('option', { value: key }, t(`keykind.${key}`))));
  fields.set('key', select);
  return h('div.row', {}, h('label', { for: 'field-key' }, t('field.key')), select);
}

function identityFacts(entry) {
  const kind = kindOf(entry);
  if (!kind) return null;
  const value = entry[kind];
  const text = typeof value === 'object' ? Object.values(value).join(' · ') : kind === 'key' ? t(`keykind.${value}`) : value;
  return [h('dt', {}, t(`kind.${kind}`)), h('dd', {}, h('code', {}, text))];
}
