import { api } from '../api.js';
import { formatMoment } from '../clock.js';
import { h, icon } from '../dom.js';
import { forInstaller } from '../components/installer.js';
import { formatShare, hasText, t } from '../i18n.js';
import { store } from '../store.js';

/** Shows problems of a node as `findings` lists them: each in words, with what to do about it, the most likely first. */
export function makeFindings(list, node) {
  return h('ul.findings', {}, list.map((finding) => {
    const values = { ...finding.values };
    if (values.share !== undefined) values.share = formatShare(values.share);
    const own = finding.text ? h('span', { lang: 'en' }, finding.text) : null;
    if (values.since !== undefined) values.moment = formatMoment(values.since, store.clock.now());
    const key = `finding.${finding.kind}${values.more > 0 ? '.more' : values.moment ? '.since' : ''}`;
    const words = hasText(key) ? t(key, values) : null;
    return h(finding.grave ? 'li.grave' : 'li', {}, icon('warning'), h('div', {}, h('p', {}, words, words && own ? ' ' : null, own), remedies(`finding.${finding.kind}`, values, finding.mend, node)));
  }));
}

/**
 * What to do about a problem: the plain text of `<key>.mend`, or those of `<key>.mend.1`, `.2` and so on in their order; and
 * folded, for whoever installed the system, those of `<key>.installer`, or else `text`, a program's own sentence. A viewer,
 * who can't do it, reads who can.
 */
export function remedies(key, values, text, node) {
  const plain = textsOf(`${key}.mend`, values);
  const technical = textsOf(`${key}.installer`, values);
  if (!plain.length && !technical.length && !text) return null;
  const own = !technical.length && !plain.length ? [h('span', { lang: 'en' }, text)] : technical;
  return [api.mayWrite || !node ? null : h('p', {}, t('finding.ask', { node })),
    plain.length > 1 ? [h('p.muted', {}, t('finding.first')), h('ol.remedies', {}, plain.map((step) => h('li', {}, step)))] : h('p.muted', {}, plain[0] ?? t('installer.ask')),
    forInstaller(own)].flat();
}

function textsOf(key, values) {
  if (hasText(key)) return [t(key, values)];
  const texts = [];
  while (hasText(`${key}.${texts.length + 1}`)) texts.push(t(`${key}.${texts.length + 1}`, values));
  return texts;
}
