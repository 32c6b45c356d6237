import { formatDay, formatDuration, formatTime } from '../clock.js';
import { Plan } from '../components/plan.js';
import { RoomList } from '../components/room-list.js';
import { makeFace, updateFace } from '../components/token.js';
import { h, icon, reconcile, replace, setText } from '../dom.js';
import { drawnRooms, itemName, roomName, ruleName } from '../house.js';
import { t } from '../i18n.js';
import { go } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

/** Size of items, to be seen from afar. */
const SIZE = 1.7;
const PERSONS = 8;
const ALERTS = 3;

/** The view for a display on a wall: plan, persons, time and open alerts, without controls. Escape leaves it. */
export function view(scope) {
  const plan = new Plan(scope, { size: SIZE, controls: false });
  const list = new RoomList(scope);
  const time = h('div.kiosk-time');
  const day = h('div.kiosk-day');
  const persons = h('ul.kiosk-persons');
  const alerts = h('ul.kiosk-alerts');
  const lost = h('p.kiosk-lost');
  const body = h('div.kiosk-body');
  const element = h('div.kiosk-view.live-body', { tabindex: '0' }, h('h1.visually-hidden', {}, t('nav.kiosk')), body, h('div.kiosk-side', {}, time, day, lost, persons, alerts));
  const showHouse = () => replace(body, drawnRooms().length ? plan.element : list.element);
  const refresh = throttled(500, () => {
    const now = store.clock.now();
    setText(time, formatTime(now));
    setText(day, formatDay(now));
    setText(lost, store.connection.name === 'live' ? '' : t('connection.age', { duration: formatDuration((Date.now() - store.lastReceived) / 1000) }));
    reconcile(persons, store.house.persons.slice(0, PERSONS), (person) => person.id, (person) => h('li', {}, makeFace(person.id), h('div', {}, h('strong'), h('span'))), (row, person) => {
      const location = store.items.get(person.id)?.location;
      updateFace(row.firstChild, person.id);
      const [name, place] = row.lastChild.children;
      setText(name, itemName(person.id));
      setText(place, location ? t('kiosk.place', { room: roomName(location.room ?? location.state), duration: formatDuration(now - location.since) }) : t('state.unheard'));
    });
    const open = [...store.items.values()].filter((record) => record.alert).slice(0, ALERTS);
    replace(alerts, open.map((record) => h('li', {}, icon('warning'), h('span', {}, `${itemName(record.id)}: ${record.alert.alerts.map(({ rule }) => ruleName(rule)).join(', ')}`))));
  });
  scope.add(store.watch((changes) => {
    if (changes.house) showHouse();
    refresh();
  }));
  scope.every(1000, refresh);
  scope.listen(document, 'keydown', (event) => { if (event.key === 'Escape') go('live'); });
  showHouse();
  refresh();
  list.refresh();
  return { element };
}
