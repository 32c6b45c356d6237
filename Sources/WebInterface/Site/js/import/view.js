import { api, send } from '../api.js';
import { notify, refusalText } from '../components/notice.js';
import { stacked } from '../components/stacked.js';
import { h, icon, loadStyle, replace, setText } from '../dom.js';
import { counted, formatList, formatNumber, loadTexts, t } from '../i18n.js';
import { go, link } from '../router.js';
import { ENDINGS, MOST_BYTES, typeOf, written } from './file.js';

await loadTexts('import');

const ROWS = 300;
const EFFECTS = { new: 'good', changed: 'warn', removed: 'bad', unchanged: '' };
let offered = null;

/** Opens the view with a file that was dropped elsewhere. */
export function importFile(file) {
  offered = file;
  go('import');
}

/** The import of items from a file: what would change, every fault at its line, and then the import itself. */
export function view() {
  loadStyle('registry');
  const element = h('div.page');
  const top = h('div.walk-top', {}, h('a.icon-button', { href: link('items'), 'aria-label': t('action.back') }, icon('back')));
  const title = h('h1', { tabindex: '-1' }, t('nav.import'));
  if (!api.mayWrite) {
    replace(element, top, title, h('p.hint', {}, t('error.viewer')));
    return { element, follow: () => true };
  }
  const fault = h('p.fault', { role: 'alert' });
  const place = h('div.import-result', { 'aria-live': 'polite' });
  const input = h('input.visually-hidden', { type: 'file', accept: ENDINGS, 'aria-describedby': 'import-hint', on: { change: () => input.files[0] && check(input.files[0]) } });
  const zone = h('label.drop-zone', {}, input, icon('upload'), h('strong', {}, t('import.drop')), h('span.muted', { id: 'import-hint' }, t('import.forms')));
  takeDrops(zone, check);
  let round = 0;

  async function ask(file, preview) {
    const answer = await send('POST', `api/items/import${preview ? '?preview=true' : ''}`, { headers: { 'Content-Type': typeOf(file.name) }, body: file, patience: 60_000 });
    return answer.json();
  }

  async function check(file) {
    const own = round += 1;
    replace(place);
    setText(fault, '');
    input.value = '';
    if (!typeOf(file.name)) return setText(fault, t('import.wrong', { name: file.name }));
    if (file.size > MOST_BYTES) return setText(fault, t('import.large', { n: formatNumber(MOST_BYTES / 1000) }));
    try {
      const preview = await ask(file, true);
      if (own === round) show(file, preview);
    } catch (refusal) {
      if (refusal.status === undefined) throw refusal;
      setText(fault, refusalText(refusal));
    }
  }

  function show(file, preview) {
    const count = written(preview);
    const faulty = preview.faults.length > 0;
    const go = h('button.button.primary.big', { type: 'button', on: { click: () => write(file, go) } }, counted('import.go', count));
    replace(place,
      h('div.import-summary', {}, h('h2', {}, file.name), Object.keys(EFFECTS).filter((effect) => preview[effect]).map((effect) => h(`span.tag${EFFECTS[effect] ? `.${EFFECTS[effect]}` : ''}`, {}, t(`import.effect.${effect}`, { n: formatNumber(preview[effect]) })))),
      faulty ? [h('h3', {}, counted('import.faults', preview.faults.length)), h('ul.findings.import-faults', {}, preview.faults.map((found) =>
        h('li.grave', {}, icon('warning'), h('div', {}, found.line ? h('strong', {}, t('import.line', { n: found.line })) : null, ' ', h('span', { lang: 'en' }, found.detail)))))] : null,
      faulty ? h('p.hint', {}, t('import.mend')) : count ? h('div.buttons', {}, go, h('a.button.big', { href: link('items') }, t('action.cancel'))) : h('p.done-all', {}, icon('check'), t('import.nothing')),
      preview.items.length ? table(preview) : null,
      preview.notes.length ? h('details', {}, h('summary', {}, t('import.notes')), h('ul.plain-list', { lang: 'en' }, preview.notes.slice(0, ROWS).map((note) => h('li', {}, note)))) : null);
  }

  async function write(file, button) {
    button.disabled = true;
    setText(fault, '');
    try {
      const done = await ask(file, false);
      notify(counted('import.done', written(done)));
      go('items');
    } catch (refusal) {
      if (refusal.status === undefined) throw refusal;
      button.disabled = false;
      setText(fault, refusalText(refusal));
    }
  }

  replace(element, top, title, h('p.hint', {}, t('import.hint')), zone, fault, place);
  const begin = () => {
    if (offered) check(offered);
    offered = null;
  };
  return { element, follow: () => true, shown: begin };
}

function table(preview) {
  const rows = preview.items.slice(0, ROWS);
  const left = preview.items.length - rows.length + (preview.left_out ?? 0);
  const columns = ['line', 'effect', 'name', 'id', ...(rows.some((row) => row.fields) ? ['fields'] : [])];
  return [h('div.table-wrap', { tabindex: '0', role: 'region', 'aria-label': t('import.changes') }, stacked(h('table.table', {},
    h('thead', {}, h('tr', {}, columns.map((name) => h('th', { scope: 'col' }, t(`import.col.${name}`))))),
    h('tbody', {}, rows.map((row) => h('tr', {}, h('td.number', {}, formatNumber(row.line)), h('td', {}, h(`span.tag.${EFFECTS[row.effect]}`, {}, t(`import.is.${row.effect}`))), h('td', {}, row.name ?? ''), h('td', {}, h('code', {}, row.id)),
      columns[4] ? h('td', {}, row.fields ? formatList(row.fields.map((name) => t(`import.field.${name}`))) : '') : null)))))),
  left ? h('p.hint', {}, t('import.more', { n: formatNumber(left) })) : null];
}

/** Lets files be dropped on an element. */
export function takeDrops(element, take) {
  const over = (yes) => element.classList.toggle('dropping', yes);
  element.addEventListener('dragover', (event) => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    over(true);
  });
  element.addEventListener('dragleave', (event) => { if (!element.contains(event.relatedTarget)) over(false); });
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    over(false);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}
