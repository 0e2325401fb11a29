import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';

test.each([
  ['=HYPERLINK("https://x")', `"'=HYPERLINK(""https://x"")"`],
  ['+1 555', "'+1 555"],
  ['-2', "'-2"],
  ['@here', "'@here"],
  ['  =1+1', "'  =1+1"],
  ['\t=1', `"'\t=1"`],
  ['＝1+1', "'＝1+1"],
])('a cell that a spreadsheet would evaluate is written as text: %j', (value, cell) => {
  expect(csvRow([value])).toBe(`${cell}\r\n`);
});

test('commas, quotes and line breaks stay inside their cell, and numbers are written as numbers', () => {
  expect(csvRow(['a,b', 'say "x"', 'two\nlines', 3, -3, ''])).toBe('"a,b","say ""x""","two\nlines",3,-3,\r\n');
});
