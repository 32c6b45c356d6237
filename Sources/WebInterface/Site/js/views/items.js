import { api } from '../api.js';
import { describeState } from '../components/room-list.js';
import { makeFace, updateFace } from '../components/token.js';
import { VirtualList } from '../components/virtual-list.js';
import { h, icon, loadStyle, replace, setText } from '../dom.js';
import { allTags, compareNames, filterOf, itemName, roomName } from '../house.js';
import { counted, t } from '../i18n.js';
import { kindOf } from '../registry.js';
import { link } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';
import { takeFound } from '../enrol/nearby.js';
import { itemForm } from './item-form.js';

const ROW = 60;

/** The items view: all entries of the registry, and the form of one. */
export function view(scope, parameters) {
  const place = h('div.page.items-page');
  // An entry that was added a moment ago may come after its form.
  let waits = false;
  const open = ([id]) => {
    replace(place, id ? id === '+' ? itemForm(null, takeFound()) : itemForm(id) : list.element);
    if (id) place.querySelector('h1')?.focus();
    else list.refresh();
    place.classList.toggle('narrow', Boolean(id));
    waits = Boolean(id) && id !== '+' && !store.items.get(id)?.config;
  };
  const list = makeList(scope);
  if (api.mayWrite) {
    loadStyle('registry');
    // The code of the import is loaded when a file comes.
    place.addEventListener('dragover', (event) => { if ([...event.dataTransfer.types].includes('Files')) event.preventDefault(); });
    place.addEventListener('drop', async (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) (await import('../import/view.js')).importFile(file);
    });
  }
  open(parameters);
  scope.add(store.watch(() => { if (waits && store.items.get(parameters[0])?.config) open(parameters); }));
  if (!store.complete) scope.add(store.watch((changes) => { if (changes.house) open(parameters); }));
  return {
    element: place,
    follow(next) {
      parameters = next;
      open(next);
      return true;
    },
  };
}

function makeList(scope) {
  const search = h('input.field.search-field', { type: 'search', placeholder: t('items.search'), 'aria-label': t('items.search'), on: { input: () => refresh() } });
  const tags = h('select.field', { 'aria-label': t('live.tags'), on: { change: () => refresh() } });
  const count = h('p.muted', { role: 'status' });
  const batteries = h('div');
  import('../batteries/list.js').then(({ Batteries }) => replace(batteries, new Batteries(scope).element));
  const rows = new VirtualList(scope, ROW, t('nav.items'), makeRow, updateRow);
  const element = h('div.items', {}, h('h1', {}, t('nav.items')),
    h('div.toolbar', {}, h('div.search', {}, icon('search'), search), tags, api.mayWrite ? h('a.button.primary', { href: link('items', '+') }, icon('plus'), t('items.add')) : null,
      api.mayWrite ? h('a.button', { href: link('import') }, icon('upload'), t('items.import')) : null), batteries, count, rows.element);
  let known = null;
  let sorted = { names: new Map(), ids: [] };
  const refresh = throttled(200, () => {
    const all = allTags();
    if (all.join() !== known) {
      known = all.join();
      const chosen = tags.value;
      replace(tags, h('option', { value: '' }, t('items.alltags')), all.slice(0, 100).map((tag) => h('option', { value: tag }, tag)));
      tags.value = chosen;
    }
    const test = filterOf(search.value, tags.value || null);
    const shown = [...store.items.values()].filter((record) => record.config && (!test || test(record)));
    const names = new Map(shown.map((record) => [record.id, itemName(record.id)]));
    if (names.size !== sorted.names.size || shown.some((record) => sorted.names.get(record.id) !== names.get(record.id))) {
      sorted = { names, ids: [...names.keys()].sort((a, b) => compareNames(names.get(a), names.get(b))) };
    }
    rows.show(sorted.ids);
    setText(count, counted('items.count', shown.length));
  });
  const slow = throttled(2000, refresh);
  scope.add(store.watch((changes) => { if (changes.items.size || changes.house) slow(); }));
  return { element, refresh };
}

function makeRow(id) {
  return h('a.registry-row', { href: link('items', id) }, makeFace(id), h('span.item-name'), h('span.item-state'), h('span.registry-tags'), h('span.muted.registry-kind'), icon('next'));
}

function updateRow(row, id) {
  const record = store.items.get(id);
  if (!record?.config) return;
  const [face, name, state, tags, kind] = row.children;
  updateFace(face, id);
  setText(name, itemName(id));
  setText(state, record.location?.room ? `${roomName(record.location.room)} · ${describeState(record)}` : describeState(record));
  const words = (record.config.tags ?? []).join('\n');
  if (tags.dataset.words !== words) {
    tags.dataset.words = words;
    replace(tags, (record.config.tags ?? []).slice(0, 4).map((word) => h('span.tag', {}, word)));
  }
  const identity = kindOf(record.config);
  setText(kind, identity ? t(`kind.${identity}`) : '');
}
