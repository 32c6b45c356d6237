import { run } from './expect.js';
import './data-tests.js';
import './drawing-tests.js';
import './plan-tests.js';
import './reception-tests.js';
import './registry-tests.js';

const { failed, lines } = await run();
document.getElementById('result').textContent = lines.join('\n');
document.title = failed ? 'failed' : 'passed';
