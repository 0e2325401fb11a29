import { expect, test } from 'vitest';
import { readProperty } from '#kernel/ical/content-lines.ts';
import { cleanText, readTextValue, splitText, unescapeParameter, unescapeText } from '#kernel/ical/ical-text.ts';

/** A text that counts the searches in it. */
class CountedText extends String {
  searches = 0;
  override indexOf(sought: string, from?: number): number {
    this.searches += 1;
    return super.indexOf(sought, from);
  }
}

test.each([
  ['a text', unescapeText, '\\n'],
  ['a parameter', unescapeParameter, '^n'],
])('a million escapes in %s cost no more than the characters that are kept', (_, read, sign) => {
  const text = new CountedText(sign.repeat(500_000));
  expect(read(text as unknown as string, 100)).toBe('\n'.repeat(100));
  expect(text.searches).toBeLessThanOrEqual(100);
});

test('escapes are read as RFC 5545 and RFC 6868 have them, and none is split by a limit', () => {
  expect(unescapeText('a\\nb\\N\\,\\;\\\\n C:\\temp\\', 100)).toBe('a\nb\n,;\\n C:\\temp\\');
  expect(unescapeParameter("a^nb^'^^n^x^", 100)).toBe('a\nb"^n^x^');
  expect(unescapeText('abc\\nde', 4)).toBe('abc\n');
  expect(unescapeText('ab😀', 3)).toBe('ab');
  expect(splitText('a\\,b,cccc', ',', 10, 3)).toEqual(['a,b', 'ccc']);
});

test('a parameter is unescaped where it is asked for, and cut to 1,000 characters', () => {
  const text = `ATTENDEE;CN="A^nB";X="${'^n'.repeat(400_000)}":mailto:a@x.example`;
  const { parameters, value } = readProperty({ name: 'ATTENDEE', text, nameEnd: 8 });
  expect([parameters?.get('CN'), value]).toEqual(['A\nB', 'mailto:a@x.example']);
  expect(parameters?.get('X')).toBe('\n'.repeat(1_000));
});

test('a long text keeps its beginning, with two characters looked at for each that is kept', () => {
  expect(cleanText('\r\n'.repeat(1_000_000), 1_000)).toBe('\n'.repeat(1_000));
  // signs that are left out, and a letter behind everything that is looked at
  expect(cleanText(`${'\u0001'.repeat(3_000)}a`, 1_000)).toBe('');
  expect(readTextValue('\\n'.repeat(500_000), 200)).toBe('\n'.repeat(200));
  expect(readTextValue('😀'.repeat(500_000), 201)).toBe('😀'.repeat(100));
});
