import { api } from '../api.js';
import { h, icon, reconcile, replace, setText } from '../dom.js';
import { nodeRoom, roomBeside, roomName } from '../house.js';
import { formatNumber, t } from '../i18n.js';
import { axes, followReception, levelAt, readings } from '../reception.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';
import { attempt, notify } from '../components/notice.js';

/** Levels in dBm from which on a cell is of class 2, 3, 4, 5. */
const STEPS = [-88, -80, -72, -64];
const OFFSETS = { least: -40, most: 40 };
/** Milliseconds in which further steps are waited for, and those in which a node takes them. */
const GATHER = 700;
const PATIENCE = 8000;

/**
 * The matrix of levels: how loud each node hears what is in each room, with what that says, and each node's offset, which
 * an administrator sets.
 */
export class LevelMatrix {
  #words = h('div', { role: 'status' });
  #head = h('tr');
  #body = h('tbody');
  #wanted = new Map();

  constructor(scope) {
    this.element = h('section.levels', {}, h('h2', { id: 'levels-title' }, t('levels.title')), h('p.hint', {}, t('levels.hint')),
      api.mayAdminister ? '' : h('p.hint', {}, t('levels.administrator')), this.#words,
      h('div.table-wrap', { tabindex: '0', role: 'region', 'aria-labelledby': 'levels-title' },
        h('table.table.matrix', {}, h('caption.visually-hidden', {}, t('levels.hint')), h('thead', {}, this.#head), this.#body)));
    scope.add(followReception());
    const refresh = throttled(500, () => this.#draw());
    scope.add(store.watch((changes) => { if (changes.reception || changes.house || changes.nodes.size) refresh(); }));
    scope.add(() => { for (const { timer } of this.#wanted.values()) clearTimeout(timer); });
    this.#draw();
  }

  #draw() {
    const { reception } = store;
    const { nodes, rooms } = axes(reception);
    this.element.hidden = nodes.length === 0;
    this.#say(reception);
    reconcile(this.#head, ['', ...rooms, '#'], (room) => room, (room) => h(room ? 'th' : 'th.corner', { scope: 'col' }),
      (cell, room) => setText(cell, room === '' ? t('levels.node') : room === '#' ? t('nodes.offset') : roomName(room)));
    reconcile(this.#body, nodes, (node) => node, (node) => this.#makeRow(node), (row, node) => this.#updateRow(row, node, rooms, reception));
  }

  #say(reception) {
    const list = readings(reception);
    const some = Object.keys(reception?.nodes ?? {}).some((node) => levelAt(reception, node, nodeRoom(node)) !== null);
    const digest = JSON.stringify([list, some]);
    if (this.#words.dataset.digest === digest) return;
    this.#words.dataset.digest = digest;
    replace(this.#words, list.length
      ? h('ul.findings', {}, list.map(({ kind, node, room, other, n }) => h('li', {}, icon('warning'), h('div', {},
        h('p', {}, t(`levels.${kind}`, { node, room: roomName(room), other: kind === 'louder' ? roomName(other) : other, n })),
        h('p.muted', {}, t(`levels.${kind}.mend`, { node, other, n }))))))
      : h('p.hint', {}, t(some ? 'levels.well' : 'levels.none')));
  }

  #makeRow(node) {
    return h('tr', {}, h('th', { scope: 'row' }, node, h('span.muted')), h('td.offset', {}, this.#makeOffset(node)));
  }

  #updateRow(row, node, rooms, reception) {
    const own = nodeRoom(node);
    const beside = roomBeside(node);
    setText(row.firstChild.lastChild, beside ? ` ${beside}` : '');
    while (row.children.length < rooms.length + 2) row.lastChild.before(h('td'));
    while (row.children.length > rooms.length + 2) row.lastChild.previousSibling.remove();
    rooms.forEach((room, index) => {
      const cell = row.children[index + 1];
      const level = levelAt(reception, node, room);
      const rank = level === null ? 0 : 1 + STEPS.filter((step) => level >= step).length;
      cell.className = `level level-${rank}${room === own ? ' own' : ''}`;
      setText(cell, level === null ? '–' : formatNumber(level));
      if (room === own) cell.title = t('levels.own', { node });
      else cell.removeAttribute('title');
    });
    this.#showOffset(row.lastChild, node);
  }

  #makeOffset(node) {
    const value = h('span.offset-value');
    if (!api.mayAdminister) return value;
    const step = (by, sign, label) => h('button.step-button', { type: 'button', 'aria-label': t(label, { node }), on: { click: () => this.#step(node, by) } }, sign);
    return h('div.offset-control', {}, step(-1, '−', 'levels.lower'), value, step(1, '+', 'levels.raise'),
      h('button.link', { type: 'button', 'aria-label': t('levels.restore.of', { node }), on: { click: () => this.#restore(node) } }, t('levels.restore')));
  }

  #showOffset(cell, node) {
    const settings = store.nodes.get(node)?.info?.settings;
    const wanted = this.#wanted.get(node);
    if (wanted && settings && settings.offset_db === wanted.value) this.#settled(node);
    const pending = this.#wanted.get(node);
    const shown = pending ? pending.value : settings?.offset_db;
    const value = cell.querySelector('.offset-value');
    setText(value, shown === undefined || shown === null ? '–' : t('unit.db', { n: formatNumber(shown) }));
    value.classList.toggle('pending', Boolean(pending));
    const mayStep = settings && store.nodes.get(node).status === 'online';
    for (const button of cell.querySelectorAll('.step-button')) button.disabled = !mayStep;
    const restore = cell.querySelector('.link');
    if (restore) restore.hidden = !settings?.overridden?.includes('offset_db') || !mayStep;
  }

  #step(node, by) {
    const present = this.#wanted.get(node)?.value ?? store.nodes.get(node)?.info?.settings?.offset_db ?? 0;
    const value = Math.max(OFFSETS.least, Math.min(OFFSETS.most, present + by));
    clearTimeout(this.#wanted.get(node)?.timer);
    this.#wanted.set(node, { value, timer: setTimeout(() => this.#send(node, () => api.setOffset(node, value)), GATHER) });
    this.#draw();
  }

  #restore(node) {
    this.#settled(node);
    attempt(() => api.restoreOffset(node));
  }

  async #send(node, action) {
    const wanted = this.#wanted.get(node);
    if (!await attempt(action)) return this.#settled(node);
    wanted.timer = setTimeout(() => {
      if (this.#wanted.get(node) !== wanted) return;
      this.#settled(node);
      notify(t('levels.unanswered', { node }), true);
    }, PATIENCE);
  }

  #settled(node) {
    clearTimeout(this.#wanted.get(node)?.timer);
    this.#wanted.delete(node);
  }
}
