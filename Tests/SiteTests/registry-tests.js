import { idFrom, kindOf, readEntry, readField, words } from '../../Sources/WebInterface/Site/js/registry.js';
import { doubtfulRoom, judge, loudness, nextRoom } from '../../Sources/WebInterface/Site/js/walk.js';
import { equal, test } from './expect.js';

const FORM = { id: 'keys', name: ' Keys ', tags: 'anna, home', kind: 'ibeacon', uuid: '484534424C454144' + '80C01800FFFFFFF0', major: '100', minor: '1', expected_interval: '0,3', power: '' };

test('An id is made of any name', () => {
  equal(["Anna's Keys", 'Schlüssel', '鍵', ' a  b '].map(idFrom), ['annas-keys', 'schlussel', '', 'a-b']);
  equal(words('a, b  a、c'), ['a', 'b', 'c']);
});

test('A form becomes an entry of the registry', () => {
  equal(readEntry(FORM).entry, { v: 1, id: 'keys', name: 'Keys', tags: ['anna', 'home'], expected_interval: 0.3, ibeacon: { uuid: '48453442-4c45-4144-80c0-1800fffffff0', major: 100, minor: 1 } });
  equal(readEntry({ ...FORM, kind: 'address', address: 'AABBCCDDEEFF' }).entry.address, 'aa:bb:cc:dd:ee:ff');
});

test('Every fault of a form is named', () => {
  equal(readEntry({ ...FORM, id: 'Keys!', name: ' ', uuid: 'x', minor: '65536', power: 'loud' }).faults, ['id', 'name', 'power', 'uuid', 'minor']);
  equal(readField('major', '-1'), undefined);
});

test('Renaming keeps the identity and what the form does not show', () => {
  const before = { v: 1, id: 'keys', name: 'Keys', key: 'irk', at: 5, other: 1, power: -60 };
  equal(readEntry({ ...FORM, name: 'New', tags: '', expected_interval: '' }, before).entry, { v: 1, id: 'keys', name: 'New', key: 'irk', other: 1 });
  equal(kindOf(before), 'key');
});

test('The walk goes on next door, and ends when every room is taught', () => {
  const rooms = [{ id: 'kitchen', seconds: 60, next_to: ['hall'] }, { id: 'hall', seconds: 0, next_to: [] }, { id: 'bath', seconds: 0, next_to: ['hall'] }];
  equal(nextRoom(rooms, 'kitchen'), 'hall');
  equal(nextRoom(rooms, 'hall'), 'bath');
  equal(nextRoom(rooms.map((room) => ({ ...room, seconds: 90 })), 'hall'), null);
});

test('A weak room is told what to do about it', () => {
  equal(judge({ seconds: 60, right: 0.6, taken_for: 'hall' }), { kind: 'longer', values: { room: 'hall' } });
  equal(judge({ seconds: 600, right: 0.6, taken_for: 'hall' }).kind, 'alike');
  equal([judge({ seconds: 0 }).kind, judge({ seconds: 60 }).kind, judge({ seconds: 60, right: 0.9 }).kind], ['untaught', 'unmeasured', 'good']);
  equal([loudness(-120), loudness(-70), loudness(-20)], [0, 0.5, 1]);
});

test('A lesson that another room heard louder is doubted', () => {
  const levels = [{ room: 'bedroom', level: -90 }, { room: 'kitchen', level: -88 }, { room: 'living', level: -74 }];
  equal(doubtfulRoom(levels, 'bedroom'), 'living');
  equal(doubtfulRoom(levels, 'living'), null);
  equal(doubtfulRoom(levels.slice(0, 2), 'bedroom'), null);
  // Nothing is known of a room without a node.
  equal(doubtfulRoom(levels, 'hall'), null);
  equal(doubtfulRoom([], 'bedroom'), null);
});
