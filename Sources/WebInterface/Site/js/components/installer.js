import { h } from '../dom.js';
import { t } from '../i18n.js';

/** What whoever installed the system reads, folded: texts or elements, one a step. Null where there is nothing. */
export function forInstaller(steps) {
  if (!steps.length) return null;
  return h('details.installer', {}, h('summary', {}, t('installer.title')), steps.length > 1 ? h('ol.remedies', {}, steps.map((step) => h('li', {}, step))) : h('div', {}, steps[0]));
}
