import { h } from '../dom.js';
import { t } from '../i18n.js';

const SHOWN = 6000;

/** Shows a short message for some seconds. `grave` messages are read at once by screen readers. */
export function notify(text, grave = false) {
  const toast = h(grave ? 'div.toast.grave' : 'div.toast', { role: grave ? 'alert' : 'status' }, text);
  document.getElementById('toasts').append(toast);
  setTimeout(() => toast.remove(), SHOWN);
}

/** The words for a refusal of the server. */
export function refusalText(refusal) {
  return refusal.status === 0 ? t('error.unreachable') : refusal.message;
}

/** Runs an action and shows its refusal; true if it was done. */
export async function attempt(action) {
  try {
    await action();
    return true;
  } catch (refusal) {
    if (refusal.status === undefined) throw refusal;
    notify(refusalText(refusal), true);
    return false;
  }
}

/** Asks before something that can't be taken back; true if the person agrees. */
export function confirmed(question, action) {
  return new Promise((resolve) => {
    const dialog = h('dialog.dialog', { 'aria-label': question },
      h('p', {}, question),
      h('div.buttons', {},
        h('button.button', { type: 'button', on: { click: () => dialog.close('no') } }, t('action.cancel')),
        h('button.button.danger', { type: 'button', on: { click: () => dialog.close('yes') } }, action)));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
