import { api } from '../api.js';
import { attempt, notify, refusalText } from '../components/notice.js';
import { download, h, icon, loadStyle, replace, setText } from '../dom.js';
import { loadTexts, t } from '../i18n.js';
import { PlanCanvas } from '../plan/canvas.js';
import { ask, askName, askRoom } from '../plan/dialogs.js';
import { Draft, dropRoom, needFloor, putNode, putRoom, toggleDoor } from '../plan/draft.js';
import { addFloor, changeFloor, NEW_PICTURE_WIDTH, takePicture, takeScale } from '../plan/floors.js';
import * as house from '../plan/house-plan.js';
import { pictureAddress } from '../house.js';
import { loadPlan, loadYAML, savePicture, savePlan } from '../plan/requests.js';
import { button, iconButton, sidePanel } from '../plan/side.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

await loadTexts('plan');

const TOOLS = [['select', 'v'], ['room', 'r'], ['door', 'd'], ['node', 'n'], ['scale', 's']];
/** Width of the window in pixels below which the plan is only looked at. */
const LEAST_WIDTH = 721;

/** The draft that was not saved. It outlives the view, until the page is left. */
let kept = null;

/** The plan editor. */
export function view(scope) {
  const place = h('div.page.plan-page', {}, h('h1', {}, t('nav.plan')), h('p.hint', { role: 'status' }, t('plan.loading')));
  Promise.all([loadStyle('plan'), kept ?? loadPlan()]).then(([, plan]) => {
    const editor = new Editor(scope, kept ?? new Draft(plan));
    replace(place, editor.element);
    editor.refresh();
  }).catch((refusal) => {
    if (refusal.status === undefined) throw refusal;
    replace(place, h('h1', {}, t('nav.plan')), h('p.fault', {}, refusalText(refusal)));
  });
  return { element: place };
}

class Editor {
  selection = null;
  tool = 'select';
  placing = null;
  floor;
  #door = null;
  #addresses = new Map();
  #side = h('aside.plan-side');
  #tabs = h('div.plan-tabs', { role: 'group', 'aria-label': t('live.floor') });
  #tools = h('div.plan-tools', { role: 'toolbar', 'aria-label': t('plan.tools') });
  #state = h('span.muted', { role: 'status' });
  #hint = h('p.plan-hint', { role: 'status' });
  #save;
  #undo;
  #redo;
  canvas;

  constructor(scope, draft) {
    this.draft = kept = draft;
    draft.base ??= structuredClone(draft.value.doors);
    this.floor = house.floorsOf(draft)[0].id;
    this.canvas = new PlanCanvas(scope, () => this.#scene(), this.#actions(), t('plan.canvas'));
    this.#save = button('check', t('plan.save'), () => this.save(), 'primary');
    this.#undo = iconButton('undo', t('plan.undo'), () => this.undo());
    this.#redo = iconButton('redo', t('plan.redo'), () => this.redo());
    const picture = h('input.visually-hidden', { type: 'file', id: 'plan-file', accept: 'image/png,image/jpeg,image/webp,image/svg+xml', on: { change: () => takePicture(this, picture) } });
    const zoom = h('div.plan-canvas-zoom', {}, iconButton('plus', t('plan.zoom.in'), () => this.canvas.zoom(1.3)), iconButton('minus', t('plan.zoom.out'), () => this.canvas.zoom(1 / 1.3)), iconButton('fit', t('plan.zoom.fit'), () => this.canvas.fit()));
    const bar = h('div.plan-bar.plan-edit', {}, this.#tools, h('label.button.plan-upload', { for: 'plan-file' }, icon('picture'), t('plan.picture')), picture, h('span.plan-space'), this.#undo, this.#redo, this.#save);
    this.element = h('div.plan-editor', {}, h('header.plan-head', {}, h('h1', {}, t('nav.plan')), this.#state, this.#tabs), api.mayWrite ? [bar, h('p.plan-small.hint', {}, t('plan.small'))] : h('p.hint', {}, t('plan.viewer')),
      h('div.plan-body', {}, h('div.plan-stage', {}, this.canvas.element, zoom, this.#hint), this.#side));
    scope.listen(document, 'keydown', (event) => this.#key(event));
    scope.listen(window, 'beforeunload', (event) => { if (this.draft.isChanged) event.preventDefault(); });
    const slow = throttled(1000, () => this.#follow());
    scope.add(store.watch((changes) => { if (changes.house || changes.nodes.size) slow(); }));
    scope.add(() => { if (!this.draft.isChanged) kept = null; });
    scope.observeSize(document.body, throttled(200, () => this.refresh()));
  }

  get mayEdit() { return api.mayWrite && innerWidth >= LEAST_WIDTH; }

  #scene() {
    const floor = this.draft.floor(this.floor);
    const pending = this.draft.pictures.get(this.floor);
    const picture = floor?.picture ? { address: pending ? this.#address(pending) : pictureAddress(floor.id, this.draft.revision), metres: floor.metres ?? [NEW_PICTURE_WIDTH, NEW_PICTURE_WIDTH] } : null;
    const nodes = house.nodesOn(this.draft, this.floor).map((node) => ({ ...node, bad: house.faultOfNode(this.draft, node) !== '' }));
    return { rooms: house.shapesOn(this.draft, this.floor), doors: house.allDoors(this.draft), nodes, picture, selection: this.selection, tool: this.tool, mayEdit: this.mayEdit, door: this.#door };
  }

  #address(blob) {
    if (!this.#addresses.has(blob)) this.#addresses.set(blob, URL.createObjectURL(blob));
    return this.#addresses.get(blob);
  }

  #actions() {
    return {
      select: (selection) => this.choose(selection),
      rest: () => { this.draft.rest(); this.refresh(); },
      finish: (polygon) => this.#nameRoom(polygon),
      moveCorner: (id, index, point) => this.#step((value) => { value.rooms.find((room) => room.id === id).polygon[index] = point; }, `corner ${id} ${index}`),
      addCorner: (id, index, point) => this.#step((value) => { value.rooms.find((room) => room.id === id).polygon.splice(index + 1, 0, point); }, `corner ${id} ${index + 1}`),
      moveRoom: (id, polygon) => this.#step((value) => putRoom(value, { id, floor: this.floor, polygon }), `room ${id}`),
      moveNode: (id, point) => this.#step((value) => putNode(value, id, point), `node ${id}`),
      place: (point) => this.#placeNode(point),
      door: (id) => this.#takeDoor(id),
      scale: (a, b) => takeScale(this, a, b),
    };
  }

  #step(change, kind) {
    this.draft.step(change, kind);
    this.refresh();
  }

  // Choosing.

  choose(selection, floor = this.floor) {
    if (floor !== null && floor !== this.floor) this.showFloor(floor);
    this.selection = selection;
    this.setTool('select');
  }

  setTool(tool) {
    this.canvas.cancel();
    this.#door = null;
    this.tool = tool;
    if (tool === 'node' && !this.placing) this.placing = house.knownNodes().find((id) => !house.placedNodes(this.draft).some((node) => node.id === id)) ?? null;
    if (tool !== 'node') this.placing = null;
    this.refresh();
  }

  place(id) {
    this.placing = id;
    this.tool = 'node';
    this.selection = null;
    this.refresh();
    this.canvas.focus();
  }

  showFloor(id) {
    this.floor = id;
    this.selection = null;
    this.canvas.cancel();
    this.canvas.fit();
    this.refresh();
  }

  // Rooms.

  async #nameRoom(polygon) {
    const taken = house.drawnRooms(this.draft).map((room) => room.id);
    const answer = await askRoom(house.offeredRooms(this.draft), (id) => house.titleOf(this.draft, id), taken);
    if (!answer) return;
    const floor = this.floor;
    const name = house.floorsOf(this.draft).find((other) => other.id === floor)?.name;
    this.draft.step((value) => {
      needFloor(value, floor, name);
      putRoom(value, { ...answer, floor, polygon });
    });
    this.selection = { kind: 'room', id: answer.id };
    this.refresh();
  }

  addBox() {
    const [x, y] = this.canvas.middle.map((value) => Math.round(value * 2) / 2);
    this.#nameRoom([[x - 2, y - 1.5], [x + 2, y - 1.5], [x + 2, y + 1.5], [x - 2, y + 1.5]]);
  }

  async renameRoom(id) {
    const name = await askName(t('plan.rename'), house.titleOf(this.draft, id));
    if (name) this.#step((value) => { value.rooms.find((room) => room.id === id).name = name; });
  }

  dropRoom(id) { this.#step((value) => dropRoom(value, id)); }

  setCorner(id, index, axis, number) {
    if (Number.isFinite(number) && Math.abs(number) <= 10_000) this.#step((value) => { value.rooms.find((room) => room.id === id).polygon[index][axis] = number; });
  }

  removeCorner(id, index) {
    if (this.draft.room(id)?.polygon.length > 3) this.#step((value) => { value.rooms.find((room) => room.id === id).polygon.splice(index, 1); });
  }

  removeSelected() {
    const { selection, draft } = this;
    if (selection?.kind === 'room' && draft.room(selection.id) && !house.isLockedRoom(selection.id)) {
      if (selection.corner !== undefined && draft.room(selection.id).polygon.length > 3) return this.removeCorner(selection.id, selection.corner);
      draft.step((value) => dropRoom(value, selection.id));
    } else if (selection?.kind === 'node' && !house.isLockedNode(selection.id)) {
      draft.step((value) => { value.nodes = value.nodes.filter((node) => node.id !== selection.id); });
    } else return undefined;
    this.selection = null;
    return this.refresh();
  }

  #takeDoor(id) {
    if (!this.#door || this.#door === id) this.#door = this.#door ? null : id;
    else {
      const [one, other] = [this.#door, id];
      this.#door = null;
      this.draft.step((value) => toggleDoor(value, one, other));
    }
    this.refresh();
  }

  // Gateways.

  #placeNode(point) {
    const id = this.placing;
    if (!id) return;
    this.draft.step((value) => putNode(value, id, point));
    this.choose({ kind: 'node', id });
  }

  setNode(id, axis, number) {
    if (Number.isFinite(number) && Math.abs(number) <= 10_000) this.#step((value) => { value.nodes.find((node) => node.id === id)[axis] = number; });
  }

  // Steps, and the server.

  undo() {
    if (this.canvas.takeBack()) return;
    this.draft.undo();
    this.refresh();
  }

  redo() {
    this.draft.redo();
    this.refresh();
  }

  async save(over = false) {
    const { draft } = this;
    this.#save.disabled = true;
    // Steps replace the value: this one stays as it is while more is drawn.
    const { value } = draft;
    const pictures = [...draft.pictures];
    try {
      // The pictures first: a plan never names one that is not there.
      const shown = new Set(value.floors.filter((floor) => floor.picture).map((floor) => floor.id));
      for (const [floor, blob] of pictures) if (blob && shown.has(floor)) await savePicture(floor, blob);
      const plan = await savePlan(value, over ? undefined : draft.revision);
      for (const [floor] of pictures) if (!shown.has(floor)) await savePicture(floor, null).catch(() => {});
      draft.saved(plan, value, pictures);
      draft.base = structuredClone(value.doors);
      notify(t('plan.saved'));
    } catch (refusal) {
      if (refusal.status === undefined) throw refusal;
      if (refusal.status === 412) await this.#settle(refusal);
      else notify(refusalText(refusal), true);
    }
    this.refresh();
  }

  /** Somebody else has saved meanwhile. */
  async #settle(refusal) {
    const answer = await ask(t('plan.conflict'), h('p.hint', {}, t('plan.conflict.hint')), [['no', t('plan.conflict.wait')], ['theirs', t('plan.conflict.theirs')], ['mine', t('plan.conflict.mine'), 'primary']]);
    if (answer === 'mine') await this.save(true);
    else if (answer === 'theirs') await this.#reload();
    else notify(refusal.message, true);
  }

  async #reload() {
    await attempt(async () => {
      this.draft.load(await loadPlan());
      this.draft.base = structuredClone(this.draft.value.doors);
      this.selection = null;
      this.refresh();
    });
  }

  /** Follows what others do: their plan is shown at once where nothing is unsaved here. */
  #follow() {
    const newer = (store.house.rev ?? 0) > this.draft.revision;
    if (newer && !this.draft.isChanged) this.#reload();
    else this.refresh();
  }

  async exportYAML() {
    await attempt(async () => download('rooms.yaml', await loadYAML(), 'application/yaml'));
  }

  // Keys.

  #key(event) {
    if (event.target.closest('input, select, textarea, dialog')) return;
    const key = event.key.toLowerCase();
    if (!this.mayEdit) return;
    if ((event.ctrlKey || event.metaKey) && (key === 'z' || key === 'y' || key === 's')) {
      event.preventDefault();
      if (key === 's') this.save();
      else if (key === 'y' || event.shiftKey) this.redo();
      else this.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tool = TOOLS.find(([, letter]) => letter === key);
    const onCanvas = this.canvas.element.contains(event.target);
    if (tool) this.setTool(tool[0]);
    else if (key === 'escape') { if (!this.canvas.cancel()) this.choose(null); }
    else if (key === 'enter' && onCanvas) this.canvas.finish();
    else if (key === '+') this.canvas.zoom(1.3);
    else if (key === '-') this.canvas.zoom(1 / 1.3);
    else if ((key === 'delete' || key === 'backspace') && onCanvas) { if (!this.canvas.takeBack()) this.removeSelected(); }
    else if (key.startsWith('arrow') && onCanvas && this.selection) this.#nudge(key, event.shiftKey ? 1 : 0.1);
    else return;
    event.preventDefault();
  }

  #nudge(key, by) {
    const [x, y] = { arrowleft: [-by, 0], arrowright: [by, 0], arrowup: [0, -by], arrowdown: [0, by] }[key];
    const { id, kind, corner } = this.selection;
    if (kind === 'node' && !house.isLockedNode(id)) {
      const node = this.draft.node(id);
      if (node) this.#step((value) => putNode(value, id, [node.x + x, node.y + y]), `nudge ${id}`);
    } else if (kind === 'room' && this.draft.room(id) && !house.isLockedRoom(id)) {
      this.#step((value) => {
        const room = value.rooms.find((other) => other.id === id);
        putRoom(value, { ...room, polygon: room.polygon.map((point, index) => (corner === undefined || corner === index ? [point[0] + x, point[1] + y] : point)) });
      }, `nudge ${id}`);
    }
  }

  // Drawing.

  refresh() {
    const { draft } = this;
    const floors = house.floorsOf(draft);
    if (!floors.some((floor) => floor.id === this.floor)) this.floor = floors[0].id;
    const shown = floors.find((floor) => floor.id === this.floor);
    const isChanged = draft.isChanged;
    const newer = (store.house.rev ?? 0) > draft.revision;
    setText(this.#state, newer && isChanged ? t('plan.newer') : isChanged ? t('plan.unsaved') : '');
    this.#save.disabled = !isChanged;
    this.#undo.disabled = !draft.mayUndo && !this.canvas.isDrawing;
    this.#redo.disabled = !draft.mayRedo;
    setText(this.#hint, this.mayEdit ? this.#advice() : '');
    this.#hint.hidden = !this.#hint.textContent;
    replace(this.#tools, TOOLS.map(([tool, letter]) => h('button.segment', { type: 'button', 'aria-pressed': String(this.tool === tool), title: `${t(`plan.tool.${tool}`)} (${letter.toUpperCase()})`, disabled: tool === 'scale' && !draft.floor(this.floor)?.picture, on: { click: () => this.setTool(tool) } }, icon(`tool-${tool}`), h('span', {}, t(`plan.tool.${tool}`)))));
    replace(this.#tabs, floors.map((floor) => h('button.chip', { type: 'button', 'aria-pressed': String(floor.id === this.floor), on: { click: () => this.showFloor(floor.id) } }, floor.name)),
      this.mayEdit ? [shown.own ? iconButton('edit', t('plan.floor.change'), () => changeFloor(this, shown)) : null, iconButton('plus', t('plan.floor.add'), () => addFloor(this))] : null);
    const focused = document.activeElement?.closest('.plan-side') ? [...this.#side.querySelectorAll('button, input, summary')].indexOf(document.activeElement) : -1;
    const open = this.#side.querySelector('details')?.open;
    replace(this.#side, sidePanel(this));
    if (open && this.#side.querySelector('details')) this.#side.querySelector('details').open = true;
    if (focused >= 0) this.#side.querySelectorAll('button, input, summary')[focused]?.focus();
    this.canvas.draw();
  }

  #advice() {
    if (this.tool === 'node') return this.placing ? t('plan.advice.node', { node: this.placing }) : t('plan.advice.allplaced');
    if (this.tool === 'door') return this.#door ? t('plan.advice.door.second', { room: house.titleOf(this.draft, this.#door) }) : t('plan.advice.door');
    if (this.tool === 'select') return this.selection?.kind === 'room' && !house.isLockedRoom(this.selection.id) ? t('plan.advice.room.selected') : '';
    return t(`plan.advice.${this.tool}`);
  }
}
