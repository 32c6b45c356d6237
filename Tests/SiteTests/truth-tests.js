import { MarkQueue } from '../../Sources/WebInterface/Site/js/truth/queue.js';
import { adviceFor, verdictsOf, staysOf, worstPair } from '../../Sources/WebInterface/Site/js/truth/result.js';
import { equal, test } from './expect.js';

function storage() {
  const kept = new Map();
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
}

test('A mark that could not be sent is sent later, with its age, and none is lost by a reload', async () => {
  const kept = storage();
  const sent = [];
  let [now, status] = [0, 0];
  const send = async (...mark) => {
    if (status !== 200) throw Object.assign(new Error('no'), { status });
    sent.push(mark);
    return { marks: sent.length };
  };
  const queue = new MarkQueue(send, kept, () => now);
  queue.add('keys', 'hall');
  now = 5000;
  queue.add('keys', 'kitchen');
  equal([await queue.flush(), queue.count, queue.lastRoom('keys')], [{ answer: null, refusal: null }, 2, 'kitchen']);
  [now, status] = [20_000, 503];
  await queue.flush();
  const reloaded = new MarkQueue(send, kept, () => now);
  status = 200;
  equal([await reloaded.flush(), reloaded.count], [{ answer: { marks: 2 }, refusal: null }, 0]);
  equal(sent, [['keys', 'hall', 20], ['keys', 'kitchen', 15]]);
  status = 404;
  reloaded.add('cup', null);
  equal([(await reloaded.flush()).refusal.status, reloaded.count, new MarkQueue(send, kept).count], [404, 0, 0]);
});

test('A mark is sent once, however often the queue is flushed meanwhile', async () => {
  let sent = 0;
  const queue = new MarkQueue(async () => { sent += 1; }, storage(), () => 0);
  queue.add('keys', 'hall');
  await Promise.all([queue.flush(), queue.flush()]);
  equal(sent, 1);
});

test('The room that was longest taken for another is named', () => {
  const marks = [{ t: 0, room: 'bath' }, { t: 5, room: null }, { t: 10, room: 'hall' }, { t: 20, room: 'hall' }, { t: 40, room: 'kitchen' }, { t: 90, room: null }];
  const stays = staysOf(marks, { from: 10, to: 90 });
  equal(stays, [{ room: 'hall', from: 10, to: 40 }, { room: 'kitchen', from: 40, to: 90 }]);
  const visits = [{ room: 'hall', from: 0, to: 52 }, { room: 'kitchen', from: 52, to: 70 }, { room: 'hall', from: 70, to: 75 }, { room: 'bath', from: 75 }];
  equal(worstPair(stays, visits, 90), { room: 'kitchen', taken: 'hall', seconds: 17 });
  equal(worstPair(stays, [{ room: 'hall', from: 0, to: 43 }], 90), null);
  equal(verdictsOf(stays, visits, 90).map(({ tone, from, to }) => [tone, from, to]), [['right', 10, 40], ['wrong', 40, 52], ['right', 52, 70], ['wrong', 70, 90]]);
  equal(verdictsOf(stays, [{ room: 'hall', from: 20, to: 30 }], 90).map(({ tone, from, to }) => [tone, from, to]), [['right', 20, 30]]);
});

test('A score is followed by what to do about it', () => {
  const score = { seconds: 300, accuracy: 0.9, settled: 0.95, flaps: 1, lag_p50: 4 };
  equal([{}, { seconds: 30 }, { settled: 0.8 }, { flaps: 5 }, { lag_p50: 12 }].map((more) => adviceFor({ ...score, ...more })), ['good', 'short', 'teach', 'flaps', 'slow']);
});
