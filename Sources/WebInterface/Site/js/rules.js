import { formatDuration } from './clock.js';
import { itemName, roomName } from './house.js';
import { formatAlternatives, formatList, formatNumber, hasText, t } from './i18n.js';

/** A rule of alerts in words: `{sentence, more}`; `more` says how often, and at which hours. */
export function ruleWords(rule) {
  const when = rule.grace ? t('rules.after', { duration: formatDuration(rule.grace) }) : t('rules.atonce');
  const others = (rule.with ?? []).map(itemName);
  const key = rule.kind === 'left_home' && !others.length ? 'left_home.alone' : rule.kind;
  const values = {
    item: itemName(rule.item), when, duration: formatDuration(rule.grace), volts: formatNumber(rule.below ?? 0, 2),
    rooms: formatAlternatives((rule.rooms ?? []).map(roomName)), others: rule.kind === 'left_home' ? formatAlternatives(others) : formatList(others),
  };
  const more = [];
  if (rule.repeat) more.push(t(rule.at_most ? 'rules.repeat.most' : 'rules.repeat', { duration: formatDuration(rule.repeat), n: rule.at_most ?? 0 }));
  if (rule.hours) more.push(t('rules.hours', rule.hours));
  return { sentence: hasText(`rules.if.${key}`) ? t(`rules.if.${key}`, values) : `${rule.kind}: ${values.item}`, more: more.join(' ') };
}
