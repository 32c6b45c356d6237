import { api } from '../api.js';
import { h, icon, replace } from '../dom.js';
import { counted, t } from '../i18n.js';

const AGAIN = 30_000;

/** What the fuser's doctor says of the whole house: what is wrong first, and what is right on demand. */
export class Doctor {
  #wrong = h('div');
  #right = h('details', { hidden: true }, h('summary'), h('ul.plain-list', { lang: 'en' }));
  #digest = '';

  constructor(scope) {
    this.element = h('section.doctor', {}, h('h2', {}, t('doctor.title')), this.#wrong, this.#right);
    const ask = async () => {
      try {
        this.#show((await api.doctor()).findings);
      } catch {
        // Asked again soon.
      }
    };
    scope.every(AGAIN, ask);
    ask();
  }

  #show(findings) {
    const digest = JSON.stringify(findings);
    if (digest === this.#digest) return;
    this.#digest = digest;
    const rank = { fault: 0, warning: 1, ok: 2 };
    const wrong = findings.filter((finding) => finding.verdict !== 'ok').sort((a, b) => rank[a.verdict] - rank[b.verdict]);
    const right = findings.filter((finding) => finding.verdict === 'ok');
    replace(this.#wrong, wrong.length ? h('ul.findings', {}, wrong.map((finding) => h(finding.verdict === 'fault' ? 'li.grave' : 'li', {}, icon('warning'), h('div', {},
      h('p', {}, h('strong', {}, subject(finding)), ' ', h('span', { lang: 'en' }, sentence(finding.reason))),
      finding.mend ? h('p.muted', { lang: 'en' }, sentence(finding.mend)) : null)))) : h('p.hint', {}, t('doctor.well')));
    const [summary, list] = this.#right.children;
    this.#right.hidden = right.length === 0;
    replace(summary, counted('doctor.right', right.length));
    replace(list, right.map((finding) => h('li', {}, icon('check'), ' ', h('strong', {}, subject(finding)), ' ', sentence(finding.reason))));
  }
}

function subject(finding) {
  return finding.node ?? finding.fuser ?? '';
}

function sentence(text) {
  return `${text.slice(0, 1).toLocaleUpperCase('en')}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
