/** Signs with which spreadsheets begin a formula (OWASP, CSV Injection); full-width forms are read as the plain ones. */
const formula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** One row of CSV (RFC 4180). A text that a spreadsheet would carry out gets an apostrophe, which makes it a text there too. */
export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value;
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
