import { h } from '../dom.js';
import { formatDuration, formatTime } from '../clock.js';
import { DOUBTFUL, isDeaf, nodeRoom, roomBeside, roomName } from '../house.js';
import { formatList, formatNumber, formatShare, t } from '../i18n.js';
import { store } from '../store.js';

/** Odds of less than 5 % are not worth a word. From twofold on a node's say is plain, from tenfold on it is strong. */
const LEAST_WEIGHT = 0.05;
const PLAIN_WEIGHT = Math.log(2);
const STRONG_WEIGHT = Math.log(10);
/** Levels in dBm from which on a node hears something loudly, and well. */
const LOUD = -65;
const WELL = -80;
/** Shares from which on lessons decide for the most part, and in part. */
const MOSTLY = 0.67;
const PARTLY = 0.33;
/** Seconds from which on a reading is old, and from which on it is no longer shown. */
const OLD = 30;
const FORGOTTEN = 600;
/** States of a node in which it has no say: what is known of it is old. */
const MUTE = ['offline', 'missing', 'deaf'];
/** The share of the next room, times this, from which on it is a close call. */
const CLOSE = 1.5;
const MOST_NODES = 10;
const MOST_ROOMS = 6;
const LEAST_SHARE = 0.005;

/** Explains an answer in a sentence or three: which nodes speak for it, which against, and how far lessons decide. */
export function whySentence(why) {
  if (!why.room) return t(`panel.state.${why.state}`);
  const heard = why.nodes.filter((node) => !MUTE.includes(node.state));
  const pro = heard.filter((node) => node.weight >= LEAST_WEIGHT).slice(0, 2).map((node) => node.node);
  const contra = heard.filter((node) => node.weight <= -LEAST_WEIGHT).slice(0, 2).map((node) => node.node);
  const sentences = [];
  if (pro.length) sentences.push(t('why.for', { nodes: formatList(pro), room: roomName(why.room) }));
  if (contra.length) sentences.push(why.runner_up ? t('why.against', { nodes: formatList(contra), room: roomName(why.runner_up) }) : t('why.against.it', { nodes: formatList(contra) }));
  const deaf = [why.room, why.runner_up].find((room) => room && why.confidence < DOUBTFUL && isDeaf(room));
  if (deaf) sentences.push(t('why.deaf', { room: roomName(deaf) }));
  else if (isUnseen(why)) sentences.push(t('why.unseen', { room: roomName(why.runner_up) }));
  else if (why.confidence < DOUBTFUL && why.runner_up && CLOSE * runnerUpShare(why) > why.confidence) sentences.push(t('why.close', { room: roomName(why.runner_up) }));
  if (why.trust !== undefined) sentences.push(t(`why.trust.${why.trust >= MOSTLY ? 'mostly' : why.trust >= PARTLY ? 'partly' : 'hardly'}`));
  const changed = why.nodes.find((node) => node.changed_db);
  if (changed) sentences.push(t(changed.changed_db > 0 ? 'why.louder' : 'why.fainter', { node: changed.node }));
  return sentences.join(' ');
}

/** Tells whether nothing can show the room next to the answer: it has no node, and neither lessons nor a plan count. */
function isUnseen({ runner_up: other, trust, plan }) {
  const nodes = [...store.nodes.keys(), ...store.house.nodes.map((node) => node.id)];
  return Boolean(other) && !trust && !plan && !nodes.some((node) => nodeRoom(node) === other);
}

/** The room that weights count against, in words; null for none. */
export function comparison(why) {
  if (!why.room || !why.runner_up) return null;
  return t('why.compared', { room: roomName(why.room), other: roomName(why.runner_up), share: formatShare(runnerUpShare(why)) });
}

function runnerUpShare(why) {
  return sharesOf(why).find(([room]) => room === why.runner_up)?.[1] ?? why.rooms?.[why.runner_up] ?? 0;
}

/** Seconds since a node's last reading of an item; null where that is unknown. */
export function ageOf(node, now) {
  return node?.heard === undefined ? null : Math.max(0, now - node.heard);
}

/** Tells whether a node's reading is of the past: it is mute, or has not heard the item of late. */
export function isOld(node, now) {
  return MUTE.includes(node?.state) || ageOf(node, now) > OLD;
}

/**
 * The distances that are worth a line: `{node, metres, old, age, state}`, the nearest first, and old ones after the others.
 * `nodes` are those of the explanation. A distance of more than ten minutes ago is left out, and one of a node that says
 * nothing and of which no time is known.
 */
export function distancesOf(distances, nodes, now) {
  return Object.entries(distances).map(([name, metres]) => {
    const node = nodes?.find((entry) => entry.node === name) ?? { state: store.nodes.get(name)?.status };
    return { node: name, metres, age: ageOf(node, now), old: isOld(node, now), state: node?.state };
  }).filter(({ age, old }) => !old || (age !== null && age < FORGOTTEN)).sort((a, b) => a.old - b.old || a.metres - b.metres);
}

/** The name of the text for the weight of a node: `for.strong`, `against.slight` and so on; null where it has no say. */
export function verdictOf(weight = 0) {
  const size = Math.abs(weight);
  if (size < LEAST_WEIGHT) return null;
  return `${weight > 0 ? 'for' : 'against'}.${size >= STRONG_WEIGHT ? 'strong' : size >= PLAIN_WEIGHT ? 'plain' : 'slight'}`;
}

/** What a node says, with the room that it speaks for: that of the answer, or the likeliest other one. */
function verdictText(verdict, why) {
  const [side, size] = verdict.split('.');
  const room = side === 'for' ? why.room : why.runner_up;
  return room ? t(`why.says.for.${size}`, { room: roomName(room) }) : t(`why.says.${verdict}`);
}

/** The name of the text for a level in dBm. */
export function loudnessOf(level) {
  return level >= LOUD ? 'loud' : level >= WELL ? 'well' : 'faint';
}

/** Bars of nodes: for the room to the right, against it to the left, as long as their weight, with that in words. */
export function nodeBars(why) {
  const most = Math.max(1, ...why.nodes.map((node) => Math.abs(node.weight ?? 0)));
  const rows = why.nodes.slice(0, MOST_NODES).map((node) => {
    const old = isOld(node, why.at);
    const weight = MUTE.includes(node.state) ? 0 : node.weight ?? 0;
    const verdict = verdictOf(weight);
    const age = old ? ageOf(node, why.at) : null;
    const room = roomBeside(node.node, node.room);
    return h(`li.node-bar${weight < 0 ? '.against' : ''}${old ? '.old' : ''}`, {},
      h('span.node-bar-name', {}, node.node, room ? h('span.muted', {}, ` ${room}`) : null),
      h('span.node-bar-track', { 'aria-hidden': 'true' }, h('span', { style: { '--share': String(Math.abs(weight) / most) } })),
      h('span.node-bar-level', {}, age !== null ? t('panel.heard', { duration: formatDuration(age) }) : node.level === undefined || old ? '' : t(`why.hears.${loudnessOf(node.level)}`)),
      h('span.node-bar-verdict', {}, verdict ? verdictText(verdict, why) : t(`why.state.${node.state}`)));
  });
  return h('ul.node-bars', {}, rows);
}

/** The figures behind the words, and the time that they are of. `isOpen` says that they are to be seen; `toggled` hears of a change. */
export function figures(why, isOpen, toggled) {
  const odds = ({ weight = 0 }) => {
    const times = formatNumber(Math.exp(Math.abs(weight)), Math.abs(weight) < STRONG_WEIGHT ? 1 : 0);
    return Math.abs(weight) < LEAST_WEIGHT ? '1 : 1' : weight > 0 ? `${times} : 1` : `1 : ${times}`;
  };
  const changed = why.nodes.some((node) => node.changed_db);
  const columns = ['node', 'level', 'odds', ...(changed ? ['changed'] : [])];
  const rows = why.nodes.slice(0, MOST_NODES).map((node) => h('tr', {}, h('th', { scope: 'row' }, node.node),
    h('td', {}, node.level === undefined || isOld(node, why.at) ? '–' : t('unit.dbm', { n: formatNumber(node.level) })), h('td', {}, odds(node)),
    changed ? h('td', {}, node.changed_db ? t('unit.db', { n: formatNumber(node.changed_db) }) : '–') : null));
  return h('details.why-figures', { open: isOpen, on: { toggle: (event) => toggled(event.target.open) } }, h('summary', {}, t('why.figures')),
    h('table', {}, h('thead', {}, h('tr', {}, columns.map((name) => h('th', { scope: 'col' }, t(`why.figure.${name}`))))), h('tbody', {}, rows)),
    h('p.muted', {}, t(why.runner_up ? 'why.figures.hint' : 'why.figures.hint.alone', { room: roomName(why.room), other: roomName(why.runner_up) }),
      why.trust === undefined ? '' : ` ${t('why.figures.trust', { share: formatShare(why.trust) })}`));
}

/** The time that an explanation is of. */
export function momentOf(why) {
  return t('why.at', { time: formatTime(why.at, true) });
}

/**
 * The probability of each room that is worth a bar, the greatest first. That of the answer is its confidence, as the answer
 * says it: the fuser measures by its lessons how far its beliefs can be trusted. The others share the rest as they do.
 */
export function sharesOf(why) {
  const rooms = Object.entries(why.rooms ?? {});
  const own = why.rooms?.[why.room];
  const rest = own === undefined || own >= 1 ? 1 : (1 - (why.confidence ?? own)) / (1 - own);
  return rooms.map(([room, share]) => [room, room === why.room ? why.confidence ?? share : share * rest])
    .filter(([, share]) => share >= LEAST_SHARE).sort((a, b) => b[1] - a[1]).slice(0, MOST_ROOMS);
}

/** Bars of rooms with their probability. */
export function roomBars(rooms) {
  return h('ul.room-bars', {}, rooms.map(([room, share]) => h('li', {}, h('span', {}, roomName(room)),
    h('span.bar', { 'aria-hidden': 'true', style: { '--share': String(share) } }), h('span.number', {}, formatShare(share)))));
}
