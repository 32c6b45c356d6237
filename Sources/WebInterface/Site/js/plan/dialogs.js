import { h } from '../dom.js';
import { t } from '../i18n.js';
import { idFrom } from '../registry.js';

/**
 * Shows a dialog with fields and buttons `[value, text, class]`; the value of the button, null if it was closed. `check()`
 * returns words that keep it open, else an empty text.
 */
export function ask(title, content, buttons, check = () => '') {
  return new Promise((resolve) => {
    const fault = h('p.fault', { role: 'alert' });
    const form = h('form', { method: 'dialog', on: { submit: (event) => {
      const value = event.submitter?.value ?? buttons.at(-1)[0];
      const words = value === 'no' ? '' : check(value);
      fault.textContent = words;
      if (words) event.preventDefault();
      else dialog.returnValue = value;
    } } }, h('h2', {}, title), content, fault,
    h('div.buttons', {}, buttons.map(([value, text, kind]) => h(kind ? `button.button.${kind}` : 'button.button', { type: 'submit', value, formnovalidate: value === 'no' }, text))));
    const dialog = h('dialog.dialog.plan-dialog', { 'aria-label': title }, form);
    // Enter in a field means the last button.
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.target.tagName !== 'INPUT') return;
      event.preventDefault();
      form.requestSubmit(form.querySelector('.buttons').lastChild);
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue && dialog.returnValue !== 'no' ? dialog.returnValue : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const cancel = () => ['no', t('action.cancel')];

/** Asks which room a new outline is: one of `open`, or a new one. Returns `{id, name}` or null. */
export async function askRoom(open, titleOf, taken) {
  const name = h('input.field', { id: 'plan-room-name', maxlength: '60', autocomplete: 'off' });
  const choice = h('select.field', { id: 'plan-room-choice', on: { change: () => { fields.hidden = choice.value !== ''; } } },
    open.map((id) => h('option', { value: id }, titleOf(id))), h('option', { value: '' }, t('plan.room.new')));
  const fields = h('div.row', { hidden: open.length > 0 }, h('label', { for: 'plan-room-name' }, t('plan.name')), name);
  const content = h('div.form', {}, open.length ? h('div.row', {}, h('label', { for: 'plan-room-choice' }, t('plan.room.which')), choice) : null, fields);
  let id = '';
  const done = await ask(t('plan.room.title'), content, [cancel(), ['yes', t('plan.room.done'), 'primary']], () => {
    id = open.length && choice.value ? choice.value : idFrom(name.value.trim());
    if (open.length && choice.value) return '';
    if (!name.value.trim()) return t('plan.name.missing');
    if (!id || id === 'away' || id === 'unknown') id = freeID('room', taken);
    return taken.includes(id) ? t('plan.room.taken', { id }) : '';
  });
  return done ? { id, name: open.length && choice.value ? null : name.value.trim() } : null;
}

/** Asks for a text; null where it was given up. */
export async function askName(title, value = '') {
  const name = h('input.field', { id: 'plan-name', maxlength: '60', value, autocomplete: 'off' });
  const done = await ask(title, h('div.form', {}, h('div.row', {}, h('label', { for: 'plan-name' }, t('plan.name')), name)), [cancel(), ['yes', t('action.save'), 'primary']],
    () => (name.value.trim() ? '' : t('plan.name.missing')));
  return done ? name.value.trim() : null;
}

/** Asks how long a way is, in metres; null where it was given up. */
export async function askLength(present) {
  const length = h('input.field', { id: 'plan-length', inputmode: 'decimal', value: present.toFixed(2) });
  const number = () => Number(length.value.replace(',', '.'));
  const done = await ask(t('plan.scale.title'), h('div.form', {}, h('div.row', {}, h('label', { for: 'plan-length' }, t('plan.scale.length')), length)), [cancel(), ['yes', t('plan.scale.done'), 'primary']],
    () => (number() > 0.05 && number() < 1000 ? '' : t('plan.scale.wrong')));
  return done ? number() : null;
}

/** An id that is not taken. */
export function freeID(word, taken) {
  for (let number = 1; ; number += 1) if (!taken.includes(`${word}-${number}`)) return `${word}-${number}`;
}
