import { entryOf, isClear, keepFound, nearness, takeFound } from '../../Sources/WebInterface/Site/js/enrol/nearby.js';
import { equal, test } from './expect.js';

test('The tag that is held to a node is named only where it is clearly the loudest', () => {
  const beacons = (...levels) => levels.map((level) => ({ level }));
  equal([beacons(), beacons(-40), beacons(-80), beacons(-40, -50), beacons(-40, -49)].map(isClear), [false, true, false, true, false]);
  equal([-100, -65, -30, 0].map(nearness), [0, 0.5, 1, 1]);
});

test('A tag that was found is filled in once, with the name that it tells', () => {
  const beacon = { id: 'x', name: 'Tag', entry: { v: 1, id: 'new', address: 'aa:bb:cc:dd:ee:ff' } };
  keepFound(entryOf(beacon));
  equal([takeFound(), takeFound()], [{ address: 'aa:bb:cc:dd:ee:ff', name: 'Tag' }, null]);
  equal(entryOf({ ...beacon, name: undefined }), { address: 'aa:bb:cc:dd:ee:ff' });
});
