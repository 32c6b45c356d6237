import { Plan } from '../components/plan.js';
import { RoomList } from '../components/room-list.js';
import { h, icon, loadStyle, reconcile, replace, setText } from '../dom.js';
import { allTags, drawnRooms, filterOf, floorName, floors, roomName } from '../house.js';
import { formatList, formatShare, t } from '../i18n.js';
import { preferences } from '../preferences.js';
import { followReception, losses } from '../reception.js';
import { go } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

const ALL = '*';
/** Milliseconds after which the panel's module is fetched, so that it is there when the connection is not. */
const PANEL_AFTER = 4000;
const TAGS_SHOWN = 8;
/** Rooms up to which all floors are shown at once unless one is chosen. */
const ROOMS_AT_ONCE = 16;

async function loadPanel() {
  const [module] = await Promise.all([import('../components/item-panel.js'), loadStyle('panel')]);
  return module;
}

/** The live view: plan and room list, search, tags, and the panel of the item that is chosen. */
export function view(scope, [chosen]) {
  const plan = new Plan(scope, { onItem: (id) => go('live', id), onRoom: (room) => list.reveal(room) });
  const list = new RoomList(scope);
  const side = h('div.live-side', {}, list.element);
  const search = h('input.field.search-field', { type: 'search', placeholder: t('live.search.short'), 'aria-label': t('live.search'), on: { input: () => filter() } });
  const tags = h('div.chips', { role: 'group', 'aria-label': t('live.tags') });
  const levels = h('div.segments', { role: 'group', 'aria-label': t('live.floor') });
  const found = h('p.visually-hidden', { role: 'status' });
  const lost = h('p.plan-legend', { role: 'status', hidden: true });
  const lossChip = h('button.chip.loss-chip', { type: 'button', 'aria-pressed': 'false', title: t('loss.hint'), on: { click: () => switchLosses() } }, t('loss.show'));
  const element = h('div.live', {},
    h('h1.visually-hidden', {}, t('nav.live')),
    h('div.live-tools', {}, h('div.search', {}, icon('search'), search), tags, levels, lossChip, found),
    h('div.live-body', {}, h('div.live-place', {}, plan.element, lost), side));
  let tag = null;
  let floor = null;
  let panel = null;
  let asked = false;
  let over = false;

  const filter = throttled(120, () => {
    const test = filterOf(search.value, tag);
    plan.setFilter(test);
    list.setFilter(test);
    if (store.house.sites) import('../sites/found.js').then(({ show }) => show(side, search.value), () => {});
    setText(found, test ? t('live.found', { n: [...store.items.values()].filter(test).length }) : '');
  });

  const choose = async (id) => {
    chosen = id;
    plan.select(id);
    list.select(id);
    const known = id && store.items.has(id);
    const module = known ? await loadPanel().catch(() => null) : null;
    if (chosen !== id || over) return;
    panel?.dispose();
    panel = module ? new module.ItemPanel(id, () => go('live')) : null;
    element.classList.toggle('with-panel', panel !== null);
    replace(side, list.element, panel?.element);
    panel?.focus();
  };

  const showTags = () => {
    const all = [...(store.persons.size ? ['@people', '@things'] : []), ...allTags().slice(0, TAGS_SHOWN)];
    if (tag && !all.includes(tag)) all.push(tag);
    reconcile(tags, all, (name) => name, (name) => h('button.chip', { type: 'button', on: { click: () => {
      tag = tag === name ? null : name;
      showTags();
      filter();
    } } }, name.startsWith('@') ? t(`live.${name.slice(1)}`) : name), (chip, name) => chip.setAttribute('aria-pressed', String(name === tag)));
  };

  const markFloor = () => {
    plan.showFloor(floor);
    for (const button of levels.children) button.setAttribute('aria-pressed', String(button.dataset.floor === (floor ?? ALL)));
  };

  const showHouse = () => {
    element.classList.toggle('without-plan', drawnRooms().length === 0);
    const all = floors();
    levels.hidden = all.length < 2;
    const kept = preferences.get('floor');
    replace(levels, [null, ...all].map((name) => h('button.segment', { type: 'button', 'data-floor': name ?? ALL, on: { click: () => {
      floor = name;
      preferences.set('floor', name ?? ALL);
      markFloor();
    } } }, name === null ? t('live.allfloors') : floorName(name))));
    const usual = drawnRooms().length > ROOMS_AT_ONCE ? all[0] : null;
    floor = all.length < 2 ? null : kept === ALL ? null : all.includes(kept) ? kept : usual;
    markFloor();
    showTags();
    if (!asked && store.complete) {
      asked = true;
      if (chosen) choose(chosen);
      else if (store.items.size === 0) go('start');
    }
  };

  let endLosses = null;
  const showLosses = () => {
    const list = losses(store.reception);
    plan.showLosses(list);
    const names = [...list].sort((a, b) => b[1] - a[1]).map(([room, share]) => t('loss.room', { room: roomName(room), share: formatShare(share) }));
    setText(lost, !store.reception ? t('loss.wait') : names.length ? t('loss.rooms', { rooms: formatList(names) }) : t('loss.none'));
  };
  const switchLosses = () => {
    const on = endLosses === null;
    if (on) endLosses = followReception();
    else {
      endLosses();
      endLosses = null;
      plan.showLosses(null);
    }
    lossChip.setAttribute('aria-pressed', String(on));
    lost.hidden = !on;
    if (on) showLosses();
  };
  scope.add(() => endLosses?.());

  const refreshTags = throttled(3000, showTags);
  scope.add(store.watch((changes) => {
    if (changes.house) showHouse();
    else if (changes.items.size) refreshTags();
    if (endLosses && (changes.reception || changes.house)) showLosses();
    if (panel) panel.refresh(changes);
    else if (chosen && changes.items.has(chosen)) choose(chosen);
  }));
  scope.add(() => {
    over = true;
    panel?.dispose();
  });
  scope.listen(document, 'keydown', (event) => {
    if (event.key === 'Escape' && panel) go('live');
    if (event.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });

  return {
    element,
    follow([id]) {
      const before = chosen;
      choose(id);
      if (!id && before) list.element.querySelector(`[data-id="${CSS.escape(before)}"]`)?.focus();
      return true;
    },
    shown() {
      list.refresh();
      showHouse();
      const timer = setTimeout(() => loadPanel().catch(() => {}), PANEL_AFTER);
      scope.add(() => clearTimeout(timer));
    },
  };
}
