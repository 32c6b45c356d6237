import { h, icon, reconcile } from '../dom.js';
import { byKindAndName, filterOf, isPerson, itemName } from '../house.js';
import { t } from '../i18n.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';
import { makePicker } from './picker.js';
import { makeFace } from './token.js';

const SHOWN = 8;

/** Large buttons for the tags that are heard, as they come, and a field for any other; `choose(id)` takes the choice. */
export function makeItemChoice(scope, choose) {
  const things = (text) => [...store.items.values()].filter((record) => record.config && !isPerson(record.id) && (filterOf(text, null)?.(record) ?? true));
  const picker = makePicker({ label: t('walk.otheritem'), options: (text) => things(text).slice(0, 60).map(({ id }) => ({ id, name: itemName(id), sign: () => makeFace(id) })), choose: (entry) => choose(entry.id) });
  const list = h('div.big-list');
  const show = () => {
    const heard = things('').filter((record) => record.location?.state === 'present').slice(0, 60).map((record) => record.id).sort(byKindAndName).slice(0, SHOWN);
    // What is shown stays where it is: a button must not move under a finger.
    const shown = [...list.children].map((button) => button.dataset.item);
    const ids = [...shown, ...heard.filter((id) => !shown.includes(id))].slice(0, SHOWN);
    reconcile(list, ids, (id) => id, (id) => h('button.big-choice', { type: 'button', 'data-item': id, on: { click: () => choose(id) } }, makeFace(id), h('span', {}, itemName(id)), icon('next')));
  };
  const refresh = throttled(500, show);
  scope.add(store.watch((changes) => { if (changes.items.size && list.isConnected) refresh(); }));
  show();
  return [list, h('label', {}, t('walk.otheritem')), picker.element];
}
