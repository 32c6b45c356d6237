import { HouseClock } from '../../Sources/WebInterface/Site/js/clock.js';
import { toCSV } from '../../Sources/WebInterface/Site/js/csv.js';
import { findings } from '../../Sources/WebInterface/Site/js/diagnosis.js';
import { EventParser } from '../../Sources/WebInterface/Site/js/events-parser.js';
import { filterOf, initials } from '../../Sources/WebInterface/Site/js/house.js';
import { dayOf, Past } from '../../Sources/WebInterface/Site/js/past.js';
import { parse } from '../../Sources/WebInterface/Site/js/router.js';
import { store, Store } from '../../Sources/WebInterface/Site/js/store.js';
import { equal, expect, test } from './expect.js';

test('An event that comes in pieces is read once it is whole', () => {
  const parser = new EventParser();
  equal(parser.push('event: changes\r\nid: a-7\r\nda'), []);
  equal(parser.push('ta: [1,\ndata: 2]\n'), []);
  equal(parser.push('\n: ping\n\nevent: ready\ndata: {}\n\n'), [{ type: 'changes', id: 'a-7', data: '[1,\n2]' }, { type: 'ready', id: 'a-7', data: '{}' }]);
});

test('The store follows items from room to room', () => {
  const own = new Store();
  own.apply([['items/keys/location', { state: 'present', room: 'kitchen' }], ['items/keys/config', { id: 'keys', name: 'Keys' }]]);
  equal([...own.members.get('kitchen')], ['keys']);
  own.apply([['items/keys/location', { state: 'away' }]]);
  equal([[...own.members.get('kitchen')], [...own.members.get('away')]], [[], ['keys']]);
  own.apply([['items/keys/location', null], ['items/keys/config', { id: 'keys', removed: 1 }]]);
  equal([own.items.size, own.members.get('away').size], [0, 0]);
});

test('A new whole state drops what it does not name, and not before it is whole', () => {
  const own = new Store();
  own.apply([['nodes/a/status', 'online'], ['nodes/b/status', 'online']]);
  own.ready();
  own.reset();
  own.apply([['nodes/b/status', 'offline']]);
  equal([...own.nodes.keys()], ['a', 'b']);
  own.reset();
  own.apply([['nodes/b/status', 'online']]);
  own.ready();
  equal([...own.nodes.keys()], ['b']);
});

test('Times are shown on the clock of a simulated house', () => {
  const clock = new HouseClock();
  equal(clock.now(5000), 5);
  for (const node of ['a', 'b', 'c']) clock.receive(node, 100_000, 5000);
  equal(clock.now(6000), 100_001);
  clock.receive('a', 100_008, 6000);
  equal(Math.round(clock.deviation('a', 6000)), 7);
});

test('A spreadsheet neither runs a name nor splits it', () => {
  equal(toCSV([['=1+1', 'a"b', 'c,d', 0.5, undefined]]), '\uFEFF\'=1+1,"a""b","c,d",0.5,\r\n');
});

test('A node that hears nothing says so once', () => {
  const node = { status: 'online', scan: { to: 100 }, health: { gap: 1, dropped: 0 } };
  equal(findings(node, 101).map(({ kind }) => kind), ['deaf']);
  equal(findings({ ...node, info: { radio: { problem: 'no_le' } } }, 101).map(({ kind }) => kind), ['radio.no_le']);
});

test('A node that is ill is shown with its worst problem first', () => {
  const node = { status: 'online', info: { radio: { problem: 'adapter_mute' }, missing_keys: ['phone'] }, health: { gap: 0.3, dropped: 0 }, scan: { to: 100 } };
  equal(findings(node, 101).map(({ kind, grave }) => [kind, grave]), [['radio.adapter_mute', true], ['missing_keys', false]]);
  equal(findings({ status: 'offline', info: { radio: { problem: 'no_le' } } }, 0).map(({ kind }) => kind), ['offline']);
  equal(findings({ status: 'online', scan: { to: 100 } }, 130).map(({ kind }) => kind), ['silent']);
  equal(findings({ status: 'online', scan: { to: 100 }, health: { gap: 0.02, dropped: 0 } }, 101), []);
});

test('An address with a broken escape still opens a view', () => {
  equal(parse('#/live/%E0%A4%A'), { name: 'live', parameters: ['%E0%A4%A'] });
  equal(parse(''), { name: 'live', parameters: [] });
});

test('A search finds an item by its name, its tag and its room', () => {
  store.apply([['items/pump/config', { id: 'pump', name: 'Infusion pump', tags: ['ward'] }], ['items/pump/location', { state: 'present', room: 'hall' }]]);
  const record = store.items.get('pump');
  expect(filterOf('PUMP hall', null)(record), 'name and room');
  expect(!filterOf('pump kitchen', null)(record), 'another room');
  expect(filterOf('', 'ward')(record) && !filterOf('', 'other')(record), 'tag');
  equal(filterOf(' ', null), null);
});

test('Initials are letters in any script, and never markup', () => {
  equal(["Anna's keys", '花子', '<img src=x>', '   ', 'drill'].map(initials), ['AK', '花', 'IS', '•', 'D']);
});

test('The past has each item where its visits say, and no record of it between them', () => {
  const past = new Past();
  const told = [];
  past.watch(({ items }) => told.push([...items].sort().join()));
  past.add('keys', [{ room: 'hall', from: 10, to: 20, confidence: 0.9 }, { room: 'away', from: 30, to: 40 }, { room: 'kitchen', from: 40 }]);
  past.add('cat', [{ room: 'hall', from: 0, confidence: 0.5 }]);
  past.seek(15);
  equal([...past.members.get('hall')], ['cat', 'keys']);
  past.seek(25);
  equal([past.items.has('keys'), past.unrecorded(), [...past.members.get('hall')]], [false, ['keys'], ['cat']]);
  past.seek(30);
  equal(past.items.get('keys').location, { state: 'away' });
  past.seek(999);
  equal(past.items.get('keys').place, 'kitchen');
  past.seek(999);
  equal(told, ['cat', 'keys', 'keys', 'keys', 'keys']);
  equal(past.moves({ from: 5, to: 35 }).sort(), [10, 30]);
  equal(past.begin(), 0);
  past.clear();
  equal(new Past().begin(), 0);
  equal([past.items.size, told.length], [0, 6]);
});

test('A day ends with now, or with its last second', () => {
  const noon = new Date(2026, 10, 26, 12).getTime() / 1000;
  equal(dayOf(noon, noon + 60), { from: noon - 43_200, to: noon + 60 });
  equal(dayOf(noon, noon + 999_999), { from: noon - 43_200, to: noon + 43_200 });
});

test('Silences are the fuser\'s, until it no longer tells them', () => {
  const own = new Store();
  own.apply([['silences', { items: { keys: 1_800_000_000 } }]]);
  equal([...own.silences], [['keys', 1_800_000_000]]);
  own.apply([['silences', null]]);
  equal(own.silences, null);
});
