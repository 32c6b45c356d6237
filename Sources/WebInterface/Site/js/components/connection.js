import { formatDuration } from '../clock.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { store } from '../store.js';

const CAUGHT_UP_SHOWN = 4000;

/**
 * Makes the sign of the connection: live, caught up, or the seconds to the next attempt and the age of what is shown.
 * A fuser without its broker has nothing new to tell either.
 */
export function makeConnection(scope) {
  const text = h('span.connection-text');
  const spoken = h('span.visually-hidden', { role: 'status' });
  const element = h('div.connection', {}, h('span.dot', { 'aria-hidden': 'true' }), text, spoken);
  let lostAt = 0;
  let caughtUpUntil = 0;
  let lost = false;
  const show = () => {
    const { name, until } = store.connection;
    const now = Date.now();
    const gone = (name !== 'live' || withoutBroker()) && store.complete;
    if (gone && !lostAt) lostAt = store.lastReceived || now;
    if (!gone && lostAt) {
      lostAt = 0;
      caughtUpUntil = now + CAUGHT_UP_SHOWN;
    }
    lost = gone;
    document.body.classList.toggle('offline', gone);
    element.dataset.state = gone ? 'lost' : name === 'live' ? 'live' : 'connecting';
    setText(spoken, gone ? t(name === 'live' ? 'connection.broker.lost' : 'connection.lost') : now < caughtUpUntil ? t('connection.caughtup') : '');
    setText(text, describe(name, until, now, lostAt, caughtUpUntil));
  };
  scope.add(store.watch((changes) => { if (changes.connection || changes.fusers.size) show(); }));
  scope.every(1000, () => { if (lost || caughtUpUntil) show(); });
  show();
  return { element };
}

function withoutBroker() {
  return store.fusers.get(store.house.fuser)?.status === 'offline';
}

function describe(name, until, now, lostAt, caughtUpUntil) {
  if (name === 'live' && !lostAt) return now < caughtUpUntil ? t('connection.caughtup') : t('connection.live');
  if (!lostAt) return t('connection.connecting');
  const age = t('connection.age', { duration: formatDuration((now - lostAt) / 1000) });
  if (name === 'live') return `${t('connection.broker')} · ${age}`;
  const next = name === 'waiting' ? Math.max(0, Math.ceil((until - now) / 1000)) : 0;
  return `${next > 0 ? t('connection.waiting', { n: next }) : t('connection.connecting')} · ${age}`;
}
