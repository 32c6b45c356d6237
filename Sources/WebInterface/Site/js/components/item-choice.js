import { h, icon } from '../dom.js';
import { byKindAndName, filterOf, isPerson, itemName } from '../house.js';
import { t } from '../i18n.js';
import { store } from '../store.js';
import { makePicker } from './picker.js';
import { makeFace } from './token.js';

const SHOWN = 8;

/** Large buttons for the tags that are heard now, and a field for any other; `choose(id)` takes the choice. */
export function makeItemChoice(choose) {
  const things = (text) => [...store.items.values()].filter((record) => record.config && !isPerson(record.id) && (filterOf(text, null)?.(record) ?? true));
  const heard = things('').filter((record) => record.location?.state === 'present').slice(0, 60).map((record) => record.id).sort(byKindAndName).slice(0, SHOWN);
  const picker = makePicker({ label: t('walk.otheritem'), options: (text) => things(text).slice(0, 60).map(({ id }) => ({ id, name: itemName(id), sign: () => makeFace(id) })), choose: (entry) => choose(entry.id) });
  return [h('div.big-list', {}, heard.map((id) => h('button.big-choice', { type: 'button', on: { click: () => choose(id) } }, makeFace(id), h('span', {}, itemName(id)), icon('next')))),
    h('label', {}, t('walk.otheritem')), picker.element];
}
