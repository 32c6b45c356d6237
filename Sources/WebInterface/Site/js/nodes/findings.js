import { api } from '../api.js';
import { h, icon } from '../dom.js';
import { formatShare, hasText, t } from '../i18n.js';

/** Shows problems of a node as `findings` lists them: each in words, with what to do about it, the most likely first. */
export function makeFindings(list, node) {
  return h('ul.findings', {}, list.map((finding) => {
    const values = { ...finding.values };
    if (values.share !== undefined) values.share = formatShare(values.share);
    const own = finding.text ? h('span', { lang: 'en' }, finding.text) : null;
    const key = values.more > 0 ? `finding.${finding.kind}.more` : `finding.${finding.kind}`;
    const words = hasText(key) ? t(key, values) : null;
    return h(finding.grave ? 'li.grave' : 'li', {}, icon('warning'), h('div', {}, h('p', {}, words, words && own ? ' ' : null, own), remedies(`finding.${finding.kind}.mend`, values, finding.mend, node)));
  }));
}

/**
 * What to do about a problem: the text of `key`, or those of `key.1`, `key.2` and so on in their order, or else `text`, a
 * program's own sentence. A viewer, who can't do it, reads who can.
 */
export function remedies(key, values, text, node) {
  const steps = [];
  while (hasText(`${key}.${steps.length + 1}`)) steps.push(t(`${key}.${steps.length + 1}`, values));
  if (!steps.length && !hasText(key) && !text) return null;
  const one = hasText(key) ? h('p.muted', {}, t(key, values)) : text ? h('p.muted', { lang: 'en' }, text) : null;
  return [api.mayWrite || !node ? null : h('p', {}, t('finding.ask', { node })),
    steps.length ? [h('p.muted', {}, t('finding.first')), h('ol.remedies', {}, steps.map((step) => h('li', {}, step)))] : one].flat();
}
