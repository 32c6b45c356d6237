import { answerOf, Explanation } from '../../Sources/WebInterface/Site/js/components/explanation.js';
import { distancesOf, isOld, loudnessOf, sharesOf, verdictOf, whySentence } from '../../Sources/WebInterface/Site/js/components/why.js';
import { equal, expect, test } from './expect.js';

const location = { state: 'present', room: 'kitchen', confidence: 0.8, at: 10, rooms: { kitchen: 0.8 }, reason: [{ node: 'kitchen', weight: 1, level: -60 }, { node: 'hall', weight: -0.5 }] };

test('An explanation of another room, or of another state, is not shown as that of the answer', () => {
  const why = { state: 'present', room: 'kitchen', confidence: 0.9, nodes: [] };
  equal(answerOf(why, location), why);
  for (const other of [{ ...why, room: 'hall' }, { ...why, state: 'quiet' }, { state: 'away', nodes: [] }, null]) {
    const answer = answerOf(other, location);
    equal([answer.room, answer.confidence, answer.nodes.map((node) => node.state)], ['kitchen', 0.8, ['heard', 'silent']]);
  }
  equal(answerOf(why, undefined), null);
});

test('Weights and levels are words', () => {
  equal([3, 1, 0.2, 0.01, -0.2, -1, -3].map(verdictOf), ['for.strong', 'for.plain', 'for.slight', null, 'against.slight', 'against.plain', 'against.strong']);
  equal([-50, -75, -90].map(loudnessOf), ['loud', 'well', 'faint']);
  equal(verdictOf(undefined), null);
});

test('The panel of an item that was never heard is shown', () => {
  const answers = [];
  const explanation = new Explanation('never-heard', () => answers.push(explanation.answer));
  explanation.refresh();
  explanation.dispose();
  equal(answers, [null]);
});

test('The bar of the answer is as long as the answer is sure, and all bars together are whole', () => {
  const shares = sharesOf({ room: 'kitchen', confidence: 0.8, rooms: { hall: 0.06, kitchen: 0.9, bath: 0.04, attic: 0 } });
  equal(shares.map(([room, share]) => [room, Number(share.toFixed(3))]), [['kitchen', 0.8], ['hall', 0.12], ['bath', 0.08]]);
  equal(sharesOf({ room: 'kitchen', confidence: 0.97, rooms: { kitchen: 1 } }), [['kitchen', 0.97]]);
  equal(sharesOf({ rooms: { hall: 0.5 } }), [['hall', 0.5]]);
});

test('A distance of a node that is offline or has not heard the item of late is old, and is left out in the end', () => {
  const nodes = [{ node: 'kitchen', state: 'heard', heard: 1000 }, { node: 'hall', state: 'offline', heard: 800 }, { node: 'bath', state: 'silent', heard: 940 }, { node: 'attic', state: 'offline', heard: 100 }, { node: 'cellar', state: 'missing' }];
  const list = distancesOf({ kitchen: 4, hall: 1, bath: 2, attic: 1, cellar: 1, garden: 9 }, nodes, 1001);
  equal(list.map(({ node, old, age }) => [node, old, age]), [['kitchen', false, 1], ['garden', false, null], ['hall', true, 201], ['bath', true, 61]]);
  equal([{ state: 'heard', heard: 990 }, { state: 'heard' }, { state: 'deaf' }, undefined].map((node) => isOld(node, 1000)), [false, false, true, false]);
});

test('A node that is offline is no reason', () => {
  const why = { state: 'present', room: 'kitchen', confidence: 0.9, nodes: [{ node: 'bath-node', state: 'offline', weight: 3 }] };
  expect(!whySentence(why).includes('bath-node'), whySentence(why));
});
