import { ruleWords } from '../../Sources/WebInterface/Site/js/rules.js';
import { store } from '../../Sources/WebInterface/Site/js/store.js';
import { equal, expect, test } from './expect.js';

const LANGUAGES = ['en', 'de', 'ja', 'zh'];
const KINDS = ['left_behind', 'left_home', 'left_home.alone', 'in_room', 'not_in_room', 'not_heard', 'battery_low'];

test('Each kind of rule has a sentence in each language, with all that the rule says', async () => {
  for (const language of LANGUAGES) {
    const texts = await (await fetch(`../../Sources/WebInterface/Site/lang/${language}.json`)).json();
    for (const kind of KINDS) expect(texts[`rules.if.${kind}`]?.includes('{item}'), `${language}: ${kind}`);
  }
});

test('A rule of an unknown kind is still shown', () => {
  store.apply([['house', { rooms: [{ id: 'office', name: 'Office' }], persons: [{ id: 'anna', name: 'Anna', items: [] }] }]]);
  equal(ruleWords({ kind: 'dances', item: 'anna', grace: 0 }), { sentence: 'dances: Anna', more: '' });
});
