import { ENDINGS, typeOf, written } from '../../Sources/WebInterface/Site/js/import/file.js';
import { equal, test } from './expect.js';

test('A file is read in the form that its name ends in', () => {
  equal(['Tags.CSV', 'a.b.yml', 'items.yaml', 'BeaconData.json', 'notes.txt', 'csv'].map(typeOf), ['text/csv', 'application/yaml', 'application/yaml', 'application/json', undefined, 'text/csv']);
  equal(ENDINGS, '.csv,.json,.yaml,.yml');
  equal(written({ new: 3, changed: 2, unchanged: 9, removed: 1 }), 6);
});
