import { api } from '../api.js';
import { findings } from '../diagnosis.js';
import { h, icon, replace } from '../dom.js';
import { counted, hasText, t } from '../i18n.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';
import { remedies } from './findings.js';

const AGAIN = 30_000;

/**
 * What the fuser's doctor says: what is wrong first, and what is right on demand. Problems of nodes stand on the nodes'
 * own cards, and are only counted here.
 */
export class Doctor {
  #wrong = h('div');
  #right = h('details', { hidden: true }, h('summary'), h('ul.plain-list'));
  #digest = '';
  #all = [];

  constructor(scope) {
    this.element = h('section.doctor', {}, h('h2', {}, t('doctor.title')), this.#wrong, this.#right);
    const ask = async () => {
      try {
        this.#all = (await api.doctor()).findings;
        this.#show();
      } catch {
        // Asked again soon.
      }
    };
    scope.every(AGAIN, ask);
    scope.add(store.watch(throttled(1000, () => { if (this.#all.length) this.#show(); })));
    ask();
  }

  #show() {
    const all = this.#all;
    const rank = { fault: 0, warning: 1, ok: 2 };
    const wrong = all.filter((finding) => finding.verdict !== 'ok').sort((a, b) => rank[a.verdict] - rank[b.verdict]);
    const right = all.filter((finding) => finding.verdict === 'ok');
    const [carded, listed] = [wrong.filter(hasCard), wrong.filter((finding) => !hasCard(finding))];
    const ill = new Set(carded.map((finding) => finding.node)).size;
    const digest = JSON.stringify([listed, right, ill]);
    if (digest === this.#digest) return;
    this.#digest = digest;
    replace(this.#wrong, listed.length ? h('ul.findings', {}, listed.map(makeEntry)) : ill ? null : h('p.hint', {}, t('doctor.well')),
      ill ? h('p.hint', {}, counted('doctor.nodes', ill)) : null);
    const [summary, list] = this.#right.children;
    this.#right.hidden = right.length === 0;
    replace(summary, counted('doctor.right', right.length));
    replace(list, right.map((finding) => h('li', {}, icon('check'), ' ', h('strong', {}, subject(finding)), ' ', words(finding))));
  }
}

/** Tells whether the card of a finding's node shows problems, of which the finding is one. */
function hasCard(finding) {
  const node = store.nodes.get(finding.node);
  return node !== undefined && findings(node, store.clock.now()).length > 0;
}

function makeEntry(finding) {
  const mend = finding.mend && sentence(finding.mend);
  return h(finding.verdict === 'fault' ? 'li.grave' : 'li', {}, icon('warning'), h('div', {},
    h('p', {}, h('strong', {}, subject(finding)), ' ', words(finding)), remedies(`doctor.is.${finding.kind}`, finding.values, mend, subject(finding))));
}

function subject(finding) {
  return finding.node ?? finding.fuser ?? '';
}

/** A finding in the page's language, or in the program's own words where that has none. */
function words(finding) {
  const key = `doctor.is.${finding.kind}`;
  return hasText(key) ? h('span', {}, t(key, finding.values)) : h('span', { lang: 'en' }, sentence(finding.reason));
}

function sentence(text) {
  return `${text.slice(0, 1).toLocaleUpperCase('en')}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
