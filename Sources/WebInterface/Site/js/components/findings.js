import { h, icon } from '../dom.js';
import { formatShare, hasText, t } from '../i18n.js';

/** Shows problems of a node as `findings` lists them: each in words, with what to do about it. */
export function makeFindings(list) {
  return h('ul.findings', {}, list.map((finding) => {
    const values = { ...finding.values };
    if (values.share !== undefined) values.share = formatShare(values.share);
    const mendKey = `finding.${finding.kind}.mend`;
    const mend = hasText(mendKey) ? h('p.muted', {}, t(mendKey, values)) : finding.mend ? h('p.muted', { lang: 'en' }, finding.mend) : null;
    const own = finding.text ? h('span', { lang: 'en' }, finding.text) : null;
    const key = values.more > 0 ? `finding.${finding.kind}.more` : `finding.${finding.kind}`;
    const words = hasText(key) ? t(key, values) : null;
    return h(finding.grave ? 'li.grave' : 'li', {}, icon('warning'), h('div', {}, h('p', {}, words, words && own ? ' ' : null, own), mend));
  }));
}
