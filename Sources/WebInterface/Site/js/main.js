import { announceMoves } from './announcer.js';
import { api } from './api.js';
import { h, loadStyle, replace } from './dom.js';
import { loadLanguage, t } from './i18n.js';
import { applyTheme } from './preferences.js';
import { parse } from './router.js';
import { Scope } from './scope.js';
import { makeShell, PRODUCT } from './shell.js';
import { store } from './store.js';
import { Stream } from './stream.js';

const VIEWS = {
  live: () => import('./views/live.js'),
  time: () => import('./views/time.js'),
  day: () => import('./views/day.js'),
  teach: () => import('./views/teach.js'),
  truth: () => import('./truth/view.js'),
  items: () => import('./views/items.js'),
  enrol: () => import('./enrol/view.js'),
  import: () => import('./import/view.js'),
  nodes: () => import('./nodes/view.js'),
  alerts: () => import('./views/alerts.js'),
  more: () => import('./views/more.js'),
  plan: () => import('./views/plan-editor.js'),
  sites: () => import('./sites/view.js'),
  start: () => import('./views/start.js'),
  kiosk: () => import('./views/kiosk.js'),
};

const app = document.getElementById('app');
let shell = null;
let shown = null;
/** The lifetime of the session's frame, and that of the view in it. */
let session = new Scope();
let scope = new Scope();

applyTheme();
await loadLanguage();
announceMoves(document.getElementById('announcer'));
addEventListener('hashchange', route);
addEventListener('sign-out', endSession);
await begin();

/** Takes the token of the address `#token=…`, which it removes from there, else null. */
function takeToken() {
  const found = /^#token=(.+)$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decodeURIComponent(found[1]);
}

async function begin() {
  const token = takeToken();
  try {
    if (token) await api.signIn(token);
    else await api.resume();
  } catch (refusal) {
    if (refusal.status === 0) return showUnreachable();
    return showSignIn(refusal.message);
  }
  if (!api.session) return showSignIn();
  showHouse();
}

function showUnreachable() {
  replace(app, h('main.alone', { id: 'main' }, h('h1', {}, t('connection.unreachable')), h('p', {}, t('connection.unreachable.mend'))));
  setTimeout(begin, 3000);
}

async function showSignIn(message = '') {
  leave();
  const { signIn } = await import('./views/sign-in.js');
  replace(app, signIn(message, showHouse));
}

function leave() {
  scope.dispose();
  scope = new Scope();
  session.dispose();
  session = new Scope();
  shell = null;
  shown = null;
}

function showHouse() {
  shell = makeShell(session);
  replace(app, shell.element);
  const stream = new Stream({
    reset: () => store.reset(),
    changes: (list) => store.apply(list),
    ready: () => store.ready(),
    state: (state) => store.connected(state),
    refused: () => {
      api.forget();
      showSignIn(t('signin.ended'));
    },
  });
  stream.open();
  session.add(() => stream.close());
  route();
}

async function endSession() {
  await api.signOut().catch(() => api.forget());
  location.hash = '';
  location.reload();
}

async function route() {
  if (takeTokenLater() || !shell) return;
  const { name, parameters } = parse(location.hash);
  const known = name in VIEWS ? name : 'live';
  shell.show(known);
  if (shown?.name === known && shown.view.follow?.(parameters)) return;
  const load = shown = { name: known, view: {} };
  const [module] = await Promise.all([VIEWS[known](), known === 'live' ? null : loadStyle('pages')]);
  if (shown !== load || !shell) return;
  scope.dispose();
  scope = new Scope();
  load.view = module.view(scope, parameters);
  replace(shell.main, load.view.element);
  document.title = [t(`nav.${known}`), store.house.name, PRODUCT].filter(Boolean).join(' · ');
  shell.main.scrollTop = 0;
  load.view.shown?.();
}

/** A token that is put into the address of an open page begins a new session. */
function takeTokenLater() {
  if (!location.hash.startsWith('#token=')) return false;
  leave();
  begin();
  return true;
}
