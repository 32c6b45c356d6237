import { formatSpan, formatTime } from '../../Sources/WebInterface/Site/js/clock.js';
import { inHeldOrder } from '../../Sources/WebInterface/Site/js/hold.js';
import { staysFrom } from '../../Sources/WebInterface/Site/js/stays.js';
import { equal, expect, test } from './expect.js';

/** Visits one after another: room, seconds, confidence. */
function visitsOf(...list) {
  let from = 1000;
  return list.map(([room, seconds, confidence = 0.9]) => {
    const visit = { room, from, to: from + seconds, confidence };
    from += seconds;
    return visit;
  });
}

const short = (stays) => stays.map(({ kind, rooms, from, to }) => [kind, rooms.join('+'), from - 1000, to === undefined ? null : to - 1000]);

test('A flicker is part of the stay around it', () => {
  const visits = visitsOf(['kitchen', 600], ['hall', 20, 0.05], ['kitchen', 10], ['hall', 5], ['kitchen', 300]);
  equal(short(staysFrom(visits, 9999)), [['stay', 'kitchen', 0, 935]]);
  equal(staysFrom(visits, 9999)[0].confidence > 0.85, true);
  equal(visits.length, 5);
});

test('A longer stay elsewhere, a way through a room, and a moment away stay', () => {
  equal(short(staysFrom(visitsOf(['kitchen', 600], ['hall', 90], ['kitchen', 300]), 9999)), [['stay', 'kitchen', 0, 600], ['stay', 'hall', 600, 690], ['stay', 'kitchen', 690, 990]]);
  equal(short(staysFrom(visitsOf(['kitchen', 600], ['hall', 9], ['bedroom', 300]), 9999)), [['stay', 'kitchen', 0, 600], ['stay', 'hall', 600, 609], ['stay', 'bedroom', 609, 909]]);
  equal(short(staysFrom(visitsOf(['kitchen', 600], ['away', 30], ['kitchen', 300]), 9999)).length, 3);
});

test('Short visits back and forth are one stay that moves', () => {
  const visits = visitsOf(['kitchen', 29], ['hall', 20], ['kitchen', 25], ['hall', 15], ['bedroom', 600]);
  equal(short(staysFrom(visits, 9999)), [['moving', 'kitchen+hall', 0, 89], ['stay', 'bedroom', 89, 689]]);
});

test('What was not sure is said to be so, and is one stay where it goes on elsewhere', () => {
  equal(short(staysFrom(visitsOf(['kitchen', 600, 0.08]), 9999)), [['unsure', 'kitchen', 0, 600]]);
  equal(short(staysFrom(visitsOf(['kitchen', 600, 0.4], ['hall', 300, 0.3], ['bedroom', 300]), 9999)), [['unsure', 'kitchen+hall', 0, 900], ['stay', 'bedroom', 900, 1200]]);
  equal(short(staysFrom(visitsOf(['away', 600, 0.1]), 9999)), [['stay', 'away', 0, 600]]);
});

test('A stay that lasts ends with now, and times without a record part stays', () => {
  equal(short(staysFrom([{ room: 'hall', from: 1000, to: 1100, confidence: 0.9 }, { room: 'hall', from: 1200, confidence: 0.9 }], 1500)), [['stay', 'hall', 0, 100], ['stay', 'hall', 200, null]]);
  equal(staysFrom([{ room: 'hall', from: 1000, confidence: 0.9 }], 1000)[0].confidence, 0.9);
  equal(staysFrom([], 5), []);
});

test('A begin and an end are never the same text', () => {
  const noon = new Date(2026, 10, 26, 12).getTime() / 1000;
  const brief = formatSpan(noon + 5, noon + 17);
  expect(brief.from !== brief.to, 'seconds are shown');
  equal(formatSpan(noon, noon + 300), { from: formatTime(noon), to: formatTime(noon + 300) });
  const long = formatSpan(noon, noon + 86_400);
  expect(long.to.length > long.from.length, 'the day is shown');
});

test('Rows that are about to be chosen keep their order', () => {
  const list = ['c', 'new', 'a', 'b'].map((id) => ({ id }));
  equal(inHeldOrder(['a', 'b', 'gone', 'c'], list, ({ id }) => id).map(({ id }) => id), ['a', 'b', 'c', 'new']);
});
