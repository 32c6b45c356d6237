import { h } from '../dom.js';
import { roomBeside, roomName } from '../house.js';
import { formatList, formatNumber, formatShare, t } from '../i18n.js';

/** Odds of less than 5 % are not worth a word. */
const LEAST_WEIGHT = 0.05;

/** Explains an answer in a sentence or three: which nodes speak for it, which against, and how far lessons decide. */
export function whySentence(why) {
  if (!why.room) return t(`panel.state.${why.state}`);
  const pro = why.nodes.filter((node) => node.weight >= LEAST_WEIGHT).slice(0, 2).map((node) => node.node);
  const contra = why.nodes.filter((node) => node.weight <= -LEAST_WEIGHT).slice(0, 2).map((node) => node.node);
  const sentences = [];
  if (pro.length) sentences.push(t('why.for', { nodes: formatList(pro), room: roomName(why.room) }));
  if (contra.length) sentences.push(why.runner_up ? t('why.against', { nodes: formatList(contra), room: roomName(why.runner_up) }) : t('why.against.it', { nodes: formatList(contra) }));
  if (why.confidence < 0.7 && why.runner_up) sentences.push(t('why.close', { room: roomName(why.runner_up) }));
  if (why.trust !== undefined) sentences.push(t('why.trust', { share: formatShare(why.trust) }));
  const changed = why.nodes.find((node) => node.changed_db);
  if (changed) sentences.push(t(changed.changed_db > 0 ? 'why.louder' : 'why.fainter', { node: changed.node, n: formatNumber(Math.abs(changed.changed_db)) }));
  return sentences.join(' ');
}

/** Bars of nodes: for the room to the right, against it to the left, as long as their weight. */
export function nodeBars(why) {
  const most = Math.max(1, ...why.nodes.map((node) => Math.abs(node.weight ?? 0)));
  const rows = why.nodes.slice(0, 10).map((node) => {
    const weight = node.weight ?? 0;
    const odds = formatNumber(Math.exp(Math.abs(weight)), Math.abs(weight) < 2.3 ? 1 : 0);
    const verdict = Math.abs(weight) < LEAST_WEIGHT ? t(`why.state.${node.state}`) : weight >= 0 ? t('why.times.for', { odds }) : t('why.times.against', { odds });
    const room = roomBeside(node.node, node.room);
    return h(weight < 0 ? 'li.node-bar.against' : 'li.node-bar', {},
      h('span.node-bar-name', {}, node.node, room ? h('span.muted', {}, ` ${room}`) : null),
      h('span.node-bar-track', { 'aria-hidden': 'true' }, h('span', { style: { '--share': String(Math.abs(weight) / most) } })),
      h('span.node-bar-level', {}, node.level === undefined ? '–' : `${formatNumber(node.level)} dBm`),
      h('span.node-bar-verdict', {}, verdict));
  });
  return h('ul.node-bars', {}, rows);
}

/** Bars of rooms with their probability. */
export function roomBars(rooms) {
  return h('ul.room-bars', {}, rooms.map(([room, share]) => h('li', {}, h('span', {}, roomName(room)),
    h('span.bar', { 'aria-hidden': 'true', style: { '--share': String(share) } }), h('span.number', {}, formatShare(share)))));
}
