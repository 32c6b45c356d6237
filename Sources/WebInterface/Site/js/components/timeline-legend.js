import { h, replace } from '../dom.js';
import { hueOfRoom, roomName } from '../house.js';
import { t } from '../i18n.js';

const MOST_ROOMS = 10;

/** Shows what the colours and patterns of a timeline mean: of its rooms, where its lanes are items, and of its kinds of bars. */
export function showLegend(list, lanes, hasGaps) {
  const stays = lanes.flatMap((lane) => lane.visits);
  const rooms = lanes.some((lane) => lane.ofRoom) ? [] : [...new Set(stays.filter((stay) => stay.kind !== 'moving').map((stay) => stay.room))].filter((room) => room !== 'away').slice(0, MOST_ROOMS);
  const kinds = ['unsure', 'moving', 'away', 'norecord'].filter((kind) => (kind === 'norecord' ? hasGaps : stays.some((stay) => stay.kind === kind || stay.room === kind)));
  const digest = JSON.stringify([rooms.map(roomName), kinds]);
  if (list.dataset.digest === digest) return;
  list.dataset.digest = digest;
  replace(list, rooms.map((room) => entry(`hue-${hueOfRoom(room)}`, roomName(room))), kinds.map((kind) => entry(kind, t(`time.legend.${kind}`))));
}

function entry(look, text) {
  return h('li', {}, h(`span.swatch.${look}`, { 'aria-hidden': 'true' }), text);
}
