import { losses, readings } from '../../Sources/WebInterface/Site/js/reception.js';
import { equal, test } from './expect.js';

const ROOM_OF = { kitchen: 'kitchen', den: 'den' };

test('A node that hears another room louder than its own is named, with the one that outdoes another', () => {
  const reception = { nodes: { kitchen: { kitchen: [-78, 90], den: [-70, 90] }, den: { den: [-60, 90], kitchen: [-72, 90] } } };
  equal(readings(reception, (node) => ROOM_OF[node]), [
    { kind: 'louder', node: 'kitchen', room: 'kitchen', other: 'den', n: 8 },
    { kind: 'outdone', node: 'kitchen', room: 'kitchen', other: 'den', n: 6 },
  ]);
});

test('Too few windows, and levels that are nearly alike, are not worth a word', () => {
  const reception = { nodes: { kitchen: { kitchen: [-71, 90], den: [-70, 90] }, den: { den: [-60, 90], kitchen: [-50, 3] } } };
  equal(readings(reception, (node) => ROOM_OF[node]), []);
  equal(readings(null), []);
});

test('Rooms in which packets are lost are found where enough were sent', () => {
  const rooms = { hall: { received: 40, expected: 100 }, den: { received: 95, expected: 100 }, attic: { received: 1, expected: 9 } };
  equal([...losses({ rooms })], [['hall', 0.6]]);
  equal([...losses(null)], []);
});
