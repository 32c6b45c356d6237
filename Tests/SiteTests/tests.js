import { run } from './expect.js';
import './battery-tests.js';
import './data-tests.js';
import './drawing-tests.js';
import './enrol-tests.js';
import './import-tests.js';
import './plan-tests.js';
import './reception-tests.js';
import './registry-tests.js';
import './rules-tests.js';
import './stays-tests.js';
import './truth-tests.js';
import './why-tests.js';

const { failed, lines } = await run();
document.getElementById('result').textContent = lines.join('\n');
document.title = failed ? 'failed' : 'passed';
