import { Batteries, batteryWords, dueBatteries } from '../../Sources/WebInterface/Site/js/batteries/list.js';
import { store } from '../../Sources/WebInterface/Site/js/store.js';
import { equal, expect, test } from './expect.js';

test('Batteries to change are listed, the most urgent first, and the others are not', () => {
  const records = [
    { id: 'a', battery: { grade: 'fine' } }, { id: 'b', battery: { grade: 'this_month', days: 20 } }, { id: 'c' },
    { id: 'd', battery: { grade: 'this_week', days: 6 } }, { id: 'e', battery: { grade: 'this_week', days: 3 } },
    { id: 'f', battery: { grade: 'change_now' } }, { id: 'g', battery: { grade: 'unknown' } }, { id: 'h', battery: { grade: 'of a later version' } },
  ];
  equal(dueBatteries(records).map(({ id }) => id), ['f', 'e', 'd', 'b']);
});

test('A battery is described by what is known of it', () => {
  expect(batteryWords({ grade: 'this_week', reason: 'low', battery_mv: 2480, days: 5, days_low: 2, days_high: 9 }, 0).includes('2.48 V'), 'voltage');
  expect(batteryWords({ grade: 'this_month', reason: 'falling', battery_percent: 18 }, 0).includes('18 %'), 'percent');
  equal(batteryWords({ grade: 'unknown', reason: 'stale' }, 0), '');
});

test('The list shows what is due with a link to each item, opens for what is urgent, and is hidden without any', () => {
  const scope = { add() {} };
  store.apply([
    ['items/keys/config', { v: 1, id: 'keys', name: 'Keys' }],
    ['items/keys/battery', { v: 1, fuser: 'main', grade: 'this_week', reason: 'low', battery_mv: 2480, cell: 'cr2032' }],
    ['items/cat/battery', { v: 1, fuser: 'main', grade: 'fine', reason: 'steady', battery_mv: 2950, cell: 'cr2032' }],
  ]);
  const { element } = new Batteries(scope);
  expect(!element.hidden && element.open, 'open');
  equal([...element.querySelectorAll('a')].map((link) => link.textContent), ['Keys']);
  expect(element.querySelector('.tag.bad') && element.textContent.includes('2.48 V'), 'grade and level');
  store.apply([['items/keys/battery', null]]);
  expect(new Batteries(scope).element.hidden, 'hidden');
});
