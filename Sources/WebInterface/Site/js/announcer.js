import { counted, t } from './i18n.js';
import { isPerson, itemName, roomName, ruleName } from './house.js';
import { store } from './store.js';

const PAUSE = 6000;
const AT_ONCE = 3;

/** Tells screen readers politely who moved: at most three moves in six seconds, persons first, and how many others. */
export function announceMoves(element) {
  const waiting = new Map();
  let timer = 0;
  const tell = () => {
    timer = 0;
    if (!waiting.size) return;
    const ids = [...waiting.keys()].sort((a, b) => isPerson(b) - isPerson(a));
    const sentences = ids.slice(0, AT_ONCE).map((id) => sentence(id, waiting.get(id)));
    if (ids.length > AT_ONCE) sentences.push(counted('announce.more', ids.length - AT_ONCE));
    waiting.clear();
    element.textContent = sentences.join(' ');
    timer = setTimeout(tell, PAUSE);
  };
  store.watch((changes) => {
    for (const id of changes.events) {
      const event = store.items.get(id)?.event;
      if (event && !event.replayed && (event.kind === 'moved' || event.kind === 'arrived' || event.kind === 'left' || event.kind === 'alert')) waiting.set(id, event);
    }
    if (waiting.size && !timer) timer = setTimeout(tell, 400);
  });
}

function sentence(id, event) {
  const name = itemName(id);
  if (event.kind === 'left') return t('announce.left', { name });
  if (event.kind === 'alert') return t('announce.alert', { name, rule: ruleName(event.rule) });
  return t('announce.moved', { name, room: roomName(event.room) });
}
