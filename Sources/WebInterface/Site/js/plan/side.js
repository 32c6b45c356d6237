import { h, icon } from '../dom.js';
import { formatList, formatNumber, t } from '../i18n.js';
import { nodeRoom, roomName } from '../house.js';
import * as house from './house-plan.js';

/** The panel beside the drawing: what the plan makes possible, what is chosen, all rooms, all gateways. `editor` acts. */
export function sidePanel(editor) {
  const { draft, selection } = editor;
  return [steps(draft), selection?.kind === 'room' ? roomCard(editor, selection) : null, selection?.kind === 'node' ? nodeCard(editor, selection.id) : null,
    roomList(editor), nodeList(editor), files(editor)];
}

function steps(draft) {
  const { undrawn, isDrawn, placed, free, isReady } = house.progress(draft);
  const step = (done, text) => h(done ? 'li.done' : 'li', {}, icon(done ? 'check' : 'next'), h('span', {}, text));
  return h(isReady ? 'section.plan-card.ready' : 'section.plan-card', {}, h('h2', {}, t('plan.steps')),
    h('ol.plan-steps', {},
      step(isDrawn, isDrawn ? t('plan.steps.drawn') : undrawn.length ? t('plan.steps.undrawn', { rooms: formatList(undrawn.slice(0, 6)) }) : t('plan.steps.draw')),
      step(placed >= house.LEAST_NODES, placed >= house.LEAST_NODES ? t('plan.steps.placed', { n: formatNumber(placed) }) : t('plan.steps.place', { n: formatNumber(placed), least: formatNumber(house.LEAST_NODES) }))),
    h('p.hint', {}, isReady ? (free.length ? `${t('plan.steps.ready', { rooms: formatList(free.slice(0, 6)) })} ${draft.isChanged ? t('plan.steps.save') : ''}` : t('plan.steps.support')) : t('plan.steps.why')));
}

function roomCard(editor, selection) {
  const room = house.drawnRooms(editor.draft).find((other) => other.id === selection.id);
  if (!room) return null;
  const title = house.titleOf(editor.draft, room.id);
  const locked = room.locked || !editor.mayEdit;
  const field = (index, axis) => h('input.field', {
    type: 'number', step: '0.05', value: String(room.polygon[index][axis]), 'aria-label': `${t('plan.corner', { n: index + 1 })} ${'xy'[axis]}`,
    on: { change: (event) => editor.setCorner(room.id, index, axis, Number(event.target.value)) } });
  return h('section.plan-card', {}, h('h2', {}, title), h('p.muted', {}, room.id, ' · ', house.shapesOn(editor.draft, room.floor ?? '').find((shape) => shape.id === room.id)?.area),
    room.locked ? h('p.plan-locked', {}, icon('lock'), ' ', t('plan.locked.room')) : null,
    locked ? null : [h('div.buttons', {}, button('edit', t('plan.rename'), () => editor.renameRoom(room.id)), button('remove', t('plan.remove'), () => editor.removeSelected())),
      h('details', {}, h('summary', {}, t('plan.corners', { n: formatNumber(room.polygon.length) })),
        h('ol.plan-corners', {}, room.polygon.map((corner, index) => h('li', {}, field(index, 0), field(index, 1), iconButton('remove', t('plan.corner.remove', { n: index + 1 }), () => editor.removeCorner(room.id, index), room.polygon.length < 4)))))]);
}

function nodeCard(editor, id) {
  const node = house.placedNodes(editor.draft).find((other) => other.id === id);
  if (!node) return null;
  const fault = house.faultOfNode(editor.draft, node);
  const field = (axis) => h('div.row', {}, h('label', { for: `plan-node-${axis}` }, t(`plan.node.${axis}`)), h('input.field', {
    id: `plan-node-${axis}`, type: 'number', step: '0.05', value: String(node[axis] ?? 0), disabled: node.locked || !editor.mayEdit, on: { change: (event) => editor.setNode(id, axis, Number(event.target.value)) } }));
  return h('section.plan-card', {}, h('h2', {}, id), h('p.muted', {}, nodeRoom(id) ? t('plan.node.room', { room: roomName(nodeRoom(id)) }) : t('plan.node.noroom')),
    fault ? h('p.fault', {}, fault) : null, node.locked ? h('p.plan-locked', {}, icon('lock'), ' ', t('plan.locked.node')) : null,
    h('div.plan-place', {}, ['x', 'y', 'z'].map(field)),
    node.locked || !editor.mayEdit ? null : h('div.buttons', {}, button('remove', t('plan.node.remove'), () => editor.removeSelected())));
}

function roomList(editor) {
  const { draft, selection } = editor;
  const rows = house.floorsOf(draft).flatMap((floor) => house.shapesOn(draft, floor.id).map((shape) => h('li', {},
    h('button.plan-row', { type: 'button', 'aria-pressed': String(selection?.kind === 'room' && selection.id === shape.id), on: { click: () => editor.choose({ kind: 'room', id: shape.id }, floor.id) } },
      h('span', {}, shape.title), h('span.muted', {}, shape.locked ? icon('lock') : null, shape.bad ? t('plan.room.crossed') : shape.area)))));
  const open = house.undrawnRooms(draft).map((id) => h('li.plan-open', {}, h('span.plan-row.open', {}, h('span', {}, house.titleOf(draft, id)), h('span.muted', {}, t('plan.room.undrawn'))),
    // A room that only the plan names goes with it.
    editor.mayEdit && draft.room(id) ? iconButton('remove', t('plan.remove'), () => editor.dropRoom(id)) : null));
  return h('section.plan-card', {}, h('h2', {}, t('plan.rooms')), rows.length || open.length ? h('ul', {}, rows, open) : h('p.hint', {}, t('plan.rooms.none')),
    editor.mayEdit ? h('div.buttons', {}, button('plus', t('plan.room.box'), () => editor.addBox())) : null);
}

function nodeList(editor) {
  const { draft, selection } = editor;
  const placed = new Map(house.placedNodes(draft).map((node) => [node.id, node]));
  const rows = [...new Set([...house.knownNodes(), ...placed.keys()])].map((id) => {
    const node = placed.get(id);
    const state = node ? (house.faultOfNode(draft, node) ? t('plan.node.look') : t('unit.m', { n: `${formatNumber(node.x, 1)} × ${formatNumber(node.y, 1)}` })) : t('plan.node.unplaced');
    const pressed = (selection?.kind === 'node' && selection.id === id) || (editor.tool === 'node' && editor.placing === id);
    if (!node && !editor.mayEdit) return h('li', {}, h('span.plan-row.open', {}, h('span', {}, id), h('span.muted', {}, state)));
    return h('li', {}, h('button.plan-row', { type: 'button', 'aria-pressed': String(pressed), on: { click: () => (node ? editor.choose({ kind: 'node', id }, house.floorOfNode(draft, node)) : editor.place(id)) } },
      h('span', {}, id), h('span.muted', {}, node?.locked ? icon('lock') : null, state)));
  });
  return h('section.plan-card', {}, h('h2', {}, t('plan.nodes')), rows.length ? h('ul', {}, rows) : h('p.hint', {}, t('plan.nodes.none')));
}

function files(editor) {
  return h('section.plan-card', {}, h('h2', {}, t('plan.file')), h('p.hint', {}, t('plan.file.hint')), h('div.buttons', {}, button('download', t('plan.file.export'), () => editor.exportYAML())));
}

export function button(name, text, click, kind = '') {
  return h(kind ? `button.button.${kind}` : 'button.button', { type: 'button', on: { click } }, icon(name), text);
}

export function iconButton(name, text, click, disabled = false) {
  return h('button.icon-button', { type: 'button', title: text, 'aria-label': text, disabled, on: { click } }, icon(name));
}
