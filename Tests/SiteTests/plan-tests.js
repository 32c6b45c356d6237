import { Draft, dropRoom, putNode, putRoom, scaleFloor, toggleDoor } from '../../Sources/WebInterface/Site/js/plan/draft.js';
import { area, crosses, doorPlace, snap } from '../../Sources/WebInterface/Site/js/plan/snap.js';
import { equal, expect, test } from './expect.js';

const KITCHEN = [[0, 0], [4, 0], [4, 3], [0, 3]];
const HALL = [[4, 0], [6, 0], [6, 3], [4, 3]];

test('A corner snaps to corners first, then to walls, then to right angles, then to 5 cm', () => {
  equal(snap([4.1, 2.9], { polygons: [KITCHEN] }).point, [4, 3]);
  equal(snap([4.1, 1.52], { polygons: [KITCHEN] }).point, [4, 1.5]);
  const right = snap([7.03, 5.1], { polygons: [KITCHEN], anchors: [[7, 9]] });
  equal([right.point, right.kind], [[7, 5.1], 'line']);
  equal(snap([9.02, 9.04], {}), { point: [9, 9.05], kind: 'grid', lines: [] });
  equal(snap([4.1, 2.02], { polygons: [KITCHEN], anchors: [[9, 2]] }).point, [4, 2]);
});

test('Two rooms have their door in the middle of the wall that they share', () => {
  equal(doorPlace(KITCHEN, HALL), [4, 1.5]);
  equal(doorPlace(KITCHEN, [[4.2, 1], [6, 1], [6, 2], [4.2, 2]]), [4.1, 1.5]);
  equal([area(KITCHEN), crosses(KITCHEN), crosses([[0, 0], [4, 3], [4, 0], [0, 3]])], [12, false, true]);
});

test('Each step of a plan can be taken back, and a drag is one step', () => {
  const draft = new Draft({ rev: 4 });
  draft.step((value) => putRoom(value, { id: 'kitchen', name: 'Kitchen', floor: 'ground', polygon: KITCHEN }));
  for (const x of [1, 2, 3]) draft.step((value) => putNode(value, 'stove', [x, 1]), 'node stove');
  draft.rest();
  equal(draft.node('stove'), { id: 'stove', x: 3, y: 1, z: 1 });
  draft.undo();
  equal([draft.value.nodes, draft.isChanged], [[], true]);
  draft.undo();
  equal([draft.value.rooms, draft.isChanged, draft.mayUndo], [[], false, false]);
  draft.redo();
  draft.redo();
  equal([draft.value.rooms.length, draft.node('stove').x, draft.mayRedo], [1, 3, false]);
});

test('What is drawn while a plan is being saved is not saved', () => {
  const draft = new Draft({ rev: 1 });
  draft.step((value) => putNode(value, 'stove', [1, 1]));
  const { value } = draft;
  draft.step((other) => putNode(other, 'door', [2, 1]));
  draft.saved({ rev: 2 }, value, []);
  equal([draft.revision, draft.isChanged], [2, true]);
  draft.undo();
  equal(draft.isChanged, false);
});

test('A room goes with its doors, and a scale changes all of a floor', () => {
  const draft = new Draft({ rev: 0, floors: [{ id: 'ground', picture: true, metres: [10, 5] }] });
  draft.step((value) => {
    putRoom(value, { id: 'kitchen', floor: 'ground', polygon: KITCHEN });
    putRoom(value, { id: 'hall', floor: 'ground', polygon: HALL });
    toggleDoor(value, 'kitchen', 'hall');
    putNode(value, 'stove', [2, 1]);
    scaleFloor(value, 'ground', 0.5, ['stove']);
  });
  equal([draft.floor('ground').metres, draft.room('hall').polygon[2], draft.node('stove').x], [[5, 2.5], [3, 1.5], 1]);
  draft.step((value) => dropRoom(value, 'hall'));
  equal(draft.value.doors, []);
  draft.step((value) => toggleDoor(value, 'kitchen', 'bath'));
  draft.step((value) => toggleDoor(value, 'bath', 'kitchen'));
  equal(draft.value.doors, []);
  expect(draft.isChanged, 'changed');
});
