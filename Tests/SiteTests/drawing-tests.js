import { moved, WHOLE, zoomed } from '../../Sources/WebInterface/Site/js/components/plan-view.js';
import { arrange, centre, clip, contains, distanceToWall, places, spanAt } from '../../Sources/WebInterface/Site/js/geometry.js';
import { gaps, LONGEST, pieces, SHORTEST, ticks, zoom } from '../../Sources/WebInterface/Site/js/time-axis.js';
import { equal, expect, test } from './expect.js';

const L_SHAPE = [[0, 0], [300, 0], [300, 300], [200, 300], [200, 100], [0, 100]];
const SQUARE = [[0, 0], [200, 0], [200, 200], [0, 200]];

test('Items stay inside a room of any shape, and apart from each other', () => {
  const found = places(L_SHAPE, 20, 44, 20);
  expect(found.length >= 6, `${found.length} places`);
  for (const at of found) {
    expect(contains(L_SHAPE, at.x, at.y), 'inside');
    expect(distanceToWall(L_SHAPE, at.x, at.y) >= 18, 'away from walls');
    for (const other of found) expect(at === other || Math.hypot(at.x - other.x, at.y - other.y) >= 43.9, 'apart');
  }
});

test('The centre of a room is inside it', () => {
  const at = centre(L_SHAPE);
  expect(contains(L_SHAPE, at.x, at.y) && at.room > 45, JSON.stringify(at));
  equal(spanAt(L_SHAPE, 200), [200, 300]);
  equal(spanAt(L_SHAPE, 400), null);
});

test('A room is clipped to a box, and vanishes outside of it', () => {
  equal(clip(SQUARE, { x: 50, y: -10, width: 500, height: 60 }), [[50, 50], [50, 0], [200, 0], [200, 50]]);
  equal(clip(SQUARE, { x: 300, y: 0, width: 50, height: 50 }), []);
  const part = clip(L_SHAPE, { x: 250, y: 0, width: 100, height: 400 });
  expect(contains(part, 275, 250) && !contains(part, 150, 50), JSON.stringify(part));
});

test('A plan is enlarged about a point, and never leaves its space', () => {
  const space = { width: 400, height: 200 };
  equal(zoomed(WHOLE, 2, [100, 50], space), { scale: 2, x: -100, y: -50 });
  equal(zoomed({ scale: 2, x: -100, y: -50 }, 0.5, [100, 50], space), { scale: 1, x: 0, y: 0 });
  equal(moved({ scale: 2, x: -100, y: -50 }, 900, -900, space), { scale: 2, x: 0, y: -200 });
  equal(zoomed(WHOLE, 99, [0, 0], space).scale, 8);
});

test('Floors lie side by side in a wide space and below each other in a tall one', () => {
  equal(arrange([[SQUARE], [SQUARE]], 2, 10), { shifts: [{ x: 0, y: 0 }, { x: 210, y: 0 }], width: 410, height: 200 });
  equal(arrange([[SQUARE], [SQUARE]], 0.5, 10).height, 410);
});

test('The axis has a mark for every 72 pixels at most, at round times', () => {
  const from = new Date(2026, 0, 5, 10, 7).getTime() / 1000;
  for (const hours of [1, 6, 24, 72, 168]) {
    const marks = ticks({ from, to: from + hours * 3600 }, 800);
    expect(marks.length >= 2 && marks.length <= 12, `${hours} h: ${marks.length} marks`);
    for (const { at } of marks) expect(new Date(at * 1000).getSeconds() === 0 && at >= from, 'round');
  }
});

test('Zooming keeps the moment under the pointer, and ends with now', () => {
  const span = zoom({ from: 0, to: 40_000 }, 0.5, 10_000, 40_000);
  equal(span, { from: 5000, to: 25_000 });
  const wide = zoom({ from: 0, to: 40_000 }, 1000, 0, 40_000);
  equal([wide.to - wide.from, wide.to], [LONGEST, 40_000]);
  const near = zoom({ from: 0, to: 1000 }, 0.01, 500, 1000);
  equal(near.to - near.from, SHORTEST);
});

test('A thousand short visits become a few pieces, and a long one stays', () => {
  const visits = Array.from({ length: 1000 }, (_, index) => ({ room: index % 2 ? 'a' : 'b', from: index, to: index + 1, confidence: 0.9 }));
  visits.push({ room: 'c', from: 1000, confidence: 0.5 });
  const found = pieces(visits, { from: 0, to: 5000 }, 4000, 30);
  equal(found, [{ room: 'b', from: 0, to: 1000, confidence: 0.9, lasting: false, many: 1000 }, { room: 'c', from: 1000, to: 4000, confidence: 0.5, lasting: true, many: 1 }]);
  equal(pieces(visits, { from: 10_000, to: 20_000 }, 4000, 30), []);
});

test('The time before the first record, and between records, is known to be unrecorded', () => {
  const visits = [{ room: 'hall', from: 100, to: 200 }, { room: 'kitchen', from: 300, to: 400 }, { room: 'hall', from: 401 }];
  equal(gaps(visits, { from: 0, to: 1000 }, 500, 10), [{ from: 0, to: 100 }, { from: 200, to: 300 }]);
  equal(gaps([], { from: 0, to: 1000 }, 500, 10), [{ from: 0, to: 500 }]);
  equal(gaps([{ room: 'hall', from: -50, to: 600 }], { from: 0, to: 500 }, 500, 10), []);
});
