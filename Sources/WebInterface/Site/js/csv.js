/** The first letters by which a spreadsheet takes a text for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value) {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value ?? '') ? `'${value}` : value ?? '';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes rows as CSV (RFC 4180), with a byte order mark, which spreadsheets know UTF-8 by. Formulas become text. */
export function toCSV(rows) {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
