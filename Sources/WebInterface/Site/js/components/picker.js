import { h, replace } from '../dom.js';
import { t } from '../i18n.js';

const SHOWN = 30;
let serial = 0;

/**
 * Makes a field that chooses one of many by typing: a combobox with a list of at most 30 matches.
 * `options(text)` returns entries `{id, name, kind, sign}`; `choose(entry)` takes the choice.
 */
export function makePicker({ label, options, choose }) {
  const id = `picker-${serial += 1}`;
  const list = h('ul.picker-list', { role: 'listbox', id, 'aria-label': label, hidden: true });
  const input = h('input.field', {
    type: 'text', role: 'combobox', 'aria-label': label, 'aria-controls': id, 'aria-expanded': 'false', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false',
  });
  let entries = [];
  let active = -1;
  let shownText = '';

  const mark = (index) => {
    active = index;
    [...list.children].forEach((option, place) => option.setAttribute('aria-selected', String(place === index)));
    const option = list.children[index];
    if (option) {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.value = shownText;
  };
  const take = (entry) => {
    shownText = entry.name;
    close();
    choose(entry);
  };
  const open = (text) => {
    entries = options(text).slice(0, SHOWN);
    replace(list, entries.length ? entries.map((entry, index) => h('li', { role: 'option', id: `${id}-${index}`, 'aria-selected': 'false', on: { pointerdown: (event) => {
      event.preventDefault();
      take(entry);
    } } }, entry.sign?.() ?? null, h('span', {}, entry.name), h('span.muted', {}, entry.kind ?? ''))) : h('li.muted', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, t('picker.none')));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(entries.length && text ? 0 : -1);
  };
  input.addEventListener('focus', () => {
    input.select();
    open('');
  });
  input.addEventListener('input', () => open(input.value));
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) open('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      mark((active + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter' && !list.hidden && entries[active]) {
      event.preventDefault();
      take(entries[active]);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.stopPropagation();
      close();
    }
  });
  return {
    element: h('div.picker', {}, input, list),
    /** Shows a choice made elsewhere. */
    show(text) {
      shownText = text;
      input.value = text;
    },
  };
}
