import { preferences } from './preferences.js';

/** The languages that the site has files for, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', ja: '日本語', zh: '中文' };

let texts = {};
let language = 'en';
let plurals = new Intl.PluralRules('en');

/** Loads the texts of the chosen language, else of the browser's. */
export async function loadLanguage() {
  const wanted = preferences.get('language') ?? navigator.languages.map((tag) => tag.split('-')[0]).find((tag) => tag in LANGUAGES);
  language = wanted in LANGUAGES ? wanted : 'en';
  texts = await fetchTexts('');
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
}

/** Loads more texts of that language, those of `lang/<part>/`, for a view of seldom use. */
export async function loadTexts(part) {
  Object.assign(texts, await fetchTexts(`${part}/`));
}

async function fetchTexts(folder) {
  const answer = await fetch(new URL(`../lang/${folder}${language}.json`, import.meta.url));
  return answer.json();
}

/** The language in use. */
export function currentLanguage() {
  return language;
}

/** The language for `Intl`: the browser's variety of the language in use where it has one. */
function locale() {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}

/** The text of a key, with `{name}` replaced by the value of that name. */
export function t(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Tells whether the language has a text for a key. */
export function hasText(key) {
  return key in texts;
}

/** The text of a counted thing: of `key.one` or `key.other`, with `{n}` and other values. */
export function counted(key, n, values = {}) {
  return t(`${key}.${plurals.select(n) === 'one' ? 'one' : 'other'}`, { ...values, n: formatNumber(n) });
}

const forms = new Map();

/** One object of `Intl` for each form, since making one costs more than using it. */
function form(name, make) {
  if (!forms.has(name)) forms.set(name, make(locale()));
  return forms.get(name);
}

/** A number in the language's form. */
export function formatNumber(value, digits = 0) {
  return form(`number ${digits}`, (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: digits })).format(value);
}

/** A share from 0 to 1 as percent. */
export function formatShare(share) {
  return form('share', (tag) => new Intl.NumberFormat(tag, { style: 'percent' })).format(share);
}

/** A list of texts, such as "a, b and c". */
export function formatList(list) {
  return form('list', (tag) => new Intl.ListFormat(tag)).format(list);
}

/** A list of texts of which one is meant, such as "a, b or c". */
export function formatAlternatives(list) {
  return form('alternatives', (tag) => new Intl.ListFormat(tag, { type: 'disjunction' })).format(list);
}

/** A time in a form that `name` stands for: the options of `Intl.DateTimeFormat`. `seconds` are Unix seconds. */
export function formatDate(name, options, seconds) {
  return form(`date ${name}`, (tag) => new Intl.DateTimeFormat(tag, options)).format(seconds * 1000);
}
