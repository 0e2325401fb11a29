import { expect, test } from 'vitest';
import { withoutPause } from '#kernel/work-budget.ts';
import { contactText, mostTags, nameKey } from '../rules.ts';
import { planImport, readRows, readVcard } from './rules.ts';

// Quadratic work ends in the timeout of its test: it takes minutes.

const card = (...lines: string[]) =>
  `${['BEGIN:VCARD', 'VERSION:4.0', 'EMAIL:ana@x.example', ...lines, 'END:VCARD'].join('\r\n')}\r\n`;
const read = (text: string) => withoutPause(readVcard(text));
const times = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));

test('names and companies are read by their parts, and an escaped semicolon is text', () => {
  expect(read(card('N:Lima\\; Sr.;Ana;;;', 'ORG:Acme\\, Inc.;Sales'))).toMatchObject([
    { name: 'Ana Lima; Sr.', company: 'Acme, Inc.' },
  ]);
});

test('a name of a million characters that ends in a backslash is read in linear time', () => {
  const name = `${'a'.repeat(1_000_000)}\\`;
  expect(read(card(`N:${name}`, `ORG:${name}`))?.[0]?.name).toContain('aaa');
});

test('a card with 59,000 addresses is read by its first ones', () => {
  const emails = times(59_000, (n) => `EMAIL;PREF=${n === 20 ? 1 : 2}:p${n}@x.example`);
  expect(read(card(...emails))).toMatchObject([{ address: 'p20@x.example' }]);
});

test('fields of a card with half a million escapes hold no more than is kept of them', () => {
  const long = '\\n'.repeat(500_000);
  const [contact] =
    read(
      card(
        `FN:${long}`,
        `N:${long};${long}`,
        `ORG:${long}`,
        `NOTE:${long}`,
        `CATEGORIES:${long},${long}`,
        `TEL:1${long}`,
      ),
    ) ?? [];
  const { name = '', company = '', note = '', tags = [], phone = '' } = contact ?? {};
  expect([name, company, note, phone, ...tags].every((text) => text.length <= 10_000)).toBe(true);
  expect(tags).toHaveLength(2);
});

test('of 190,000 categories in a card the first ones are tags', () => {
  const categories = `CATEGORIES:${times(190_000, (n) => `x${n}`).join()}`.slice(0, 1_000_000);
  const contacts = read(card(categories, categories)) ?? [];
  expect(contacts[0]?.tags.length).toBeLessThanOrEqual(2 * mostTags);
  expect(withoutPause(readRows(contacts))).toMatchObject([{ draft: { tags: times(mostTags, (n) => `x${n}`) } }]);
});

test('the rows of a file are judged and planned with a pause after each', () => {
  const contacts = read(times(300, (n) => card(`EMAIL;PREF=1:p${n}@x.example`)).join('')) ?? [];
  const judging = readRows(contacts);
  let pauses = 0;
  let step = judging.next();
  for (; step.done !== true; step = judging.next()) pauses += 1;
  expect(pauses).toBe(300);
  const planning = planImport(step.value, new Map(), 1_000);
  for (pauses = 0; planning.next().done !== true; ) pauses += 1;
  expect(pauses).toBe(300);
});

test('the search text of a contact has no more characters than its fields may have', () => {
  const one = { name: 'Zoë Lima', address: 'zoe@x.example', company: 'Acme', phone: '+49 151', tags: ['VIP', 'Ä'] };
  expect(contactText(one)).toBe(' zoe lima zoe x example acme 49 151 vip a');
  // U+FDFA becomes eighteen characters once it is folded
  const long = (chars: number) => 'ﷺ'.repeat(chars);
  const tags = times(mostTags, () => long(40));
  const text = contactText({ name: long(200), address: 'zoe@x.example', company: long(200), phone: long(40), tags });
  expect(text.length).toBeLessThanOrEqual(1 + 201 + 14 + 201 + 41 + 20 * 41);
  expect(text).toContain(' zoe x example ');
  expect(nameKey(long(200))?.length).toBeLessThanOrEqual(200);
});
