import { confirmed, notify } from '../components/notice.js';
import { h } from '../dom.js';
import { boxOf } from '../geometry.js';
import { t } from '../i18n.js';
import { idFrom, isID } from '../registry.js';
import { ask, askLength, askName, freeID } from './dialogs.js';
import { dropFloor, needFloor, scaleFloor } from './draft.js';
import * as house from './house-plan.js';
import { readPicture } from './picture.js';
import { rounded } from './snap.js';

/** The width of a picture in metres, until its scale is set. */
export const NEW_PICTURE_WIDTH = 10;

/** Adds a floor that a person names. */
export async function addFloor(editor) {
  const { draft } = editor;
  const name = await askName(t('plan.floor.add'));
  if (!name) return;
  const taken = house.floorsOf(draft).map((floor) => floor.id);
  const id = idFrom(name) && !taken.includes(idFrom(name)) ? idFrom(name) : freeID('floor', taken);
  draft.step((value) => {
    // A floor that was there only as a suggestion stays.
    if (!value.floors.length && !house.drawnRooms(draft).length) needFloor(value, editor.floor, t('plan.floor.ground'));
    needFloor(value, id, name);
  });
  editor.showFloor(id);
}

/** Renames a floor, takes its picture away, or removes it with all that is drawn on it. */
export async function changeFloor(editor, floor) {
  const { draft } = editor;
  const name = h('input.field', { id: 'plan-floor-name', maxlength: '60', value: floor.name });
  const hasPicture = draft.floor(floor.id)?.picture;
  const answer = await ask(t('plan.floor.change'), h('div.form', {}, h('div.row', {}, h('label', { for: 'plan-floor-name' }, t('plan.name')), name)),
    [['no', t('action.cancel')], ['remove', t('plan.floor.remove')], hasPicture ? ['picture', t('plan.picture.remove')] : null, ['save', t('action.save'), 'primary']].filter(Boolean), (value) => (value === 'save' && !name.value.trim() ? t('plan.name.missing') : ''));
  const own = (value) => value.floors.find((other) => other.id === floor.id);
  if (answer === 'save') draft.step((value) => { own(value).name = name.value.trim(); });
  else if (answer === 'picture') {
    draft.pictures.set(floor.id, null);
    draft.step((value) => {
      delete own(value).picture;
      delete own(value).metres;
    });
  } else if (answer === 'remove' && await confirmed(t('plan.floor.sure', { name: floor.name }), t('plan.floor.remove'))) {
    const nodes = nodesOf(draft, floor.id);
    if (hasPicture) draft.pictures.set(floor.id, null);
    draft.step((value) => dropFloor(value, floor.id, nodes));
    editor.showFloor(house.floorsOf(draft)[0].id);
  }
  editor.refresh();
}

/** The nodes of the draft on a floor, by id. */
function nodesOf(draft, floor) {
  return draft.value.nodes.filter((node) => house.floorOfNode(draft, node) === floor).map((node) => node.id);
}

/** Puts the picture that a person chose under the floor that is shown. */
export async function takePicture(editor, field) {
  const { draft, floor } = editor;
  const [file] = field.files;
  field.value = '';
  if (!file) return;
  // Only an id can stand in the address of a picture.
  if (!isID(floor)) {
    notify(t('plan.picture.floor'), true);
    return;
  }
  let picture;
  try {
    picture = await readPicture(file);
  } catch {
    notify(t('plan.picture.wrong'), true);
    return;
  }
  const name = house.floorsOf(draft).find((other) => other.id === floor)?.name;
  const drawn = house.shapesOn(draft, floor).flatMap((room) => room.polygon);
  const box = drawn.length ? boxOf(drawn) : null;
  draft.pictures.set(floor, picture.blob);
  draft.step((value) => {
    needFloor(value, floor, name);
    const own = value.floors.find((other) => other.id === floor);
    const width = own.metres?.[0] ?? (box ? Math.max(1, box.x + box.width) : NEW_PICTURE_WIDTH);
    own.picture = true;
    own.metres = rounded([width, (width * picture.height) / picture.width]);
  });
  editor.canvas.fit();
  editor.setTool('scale');
}

/** Sets the scale of the floor by two points whose distance a person knows. What the file draws keeps its own scale. */
export async function takeScale(editor, a, b) {
  const { draft, floor } = editor;
  const present = Math.hypot(a[0] - b[0], a[1] - b[1]);
  const length = present > 0.01 ? await askLength(present) : null;
  if (!length) return;
  const nodes = nodesOf(draft, floor);
  draft.step((value) => scaleFloor(value, floor, length / present, nodes));
  editor.canvas.fit();
  editor.setTool('select');
}
