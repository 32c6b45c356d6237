import { api } from '../api.js';
import { forInstaller } from '../components/installer.js';
import { refusalText } from '../components/notice.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';

/** The form for a token. `done` is called once the server accepts it. */
export function signIn(message, done) {
  const field = h('input.field', { type: 'password', id: 'token', autocomplete: 'current-password', required: true, spellcheck: 'false' });
  const fault = h('p.fault', { role: 'alert', id: 'fault' }, message);
  const button = h('button.button.primary', { type: 'submit' }, t('signin.submit'));
  field.setAttribute('aria-describedby', 'fault');
  const submit = async (event) => {
    event.preventDefault();
    if (!field.value) return;
    button.disabled = true;
    setText(fault, '');
    try {
      await api.signIn(field.value.trim());
      done();
    } catch (refusal) {
      setText(fault, refusal.status === 401 ? t('signin.wrong') : refusalText(refusal));
      button.disabled = false;
      field.select();
    }
  };
  requestAnimationFrame(() => field.focus());
  return h('main.alone', { id: 'main' },
    h('img', { src: 'icon.svg', alt: '', width: '56', height: '56' }),
    h('h1', {}, t('signin.title')),
    h('form', { on: { submit } }, h('label', { for: 'token' }, t('signin.token')), field, fault, button),
    h('div.hint', {}, h('p', {}, t('signin.hint')), forInstaller([t('signin.hint.installer')])));
}
