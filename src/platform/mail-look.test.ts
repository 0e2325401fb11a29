import { expect, test } from 'vitest';
import { replyToOf, senderOf } from './mail-look.ts';
import { plainName } from './mail-message.ts';

const install = { name: 'Holdfast', address: 'no-reply@example.org' };
const called = (name: string, locale = 'en', of = install) => senderOf({ locale, fromName: plainName(name) }, of).name;

test('a mail from a person names them beside the install, in the language of the mail', () => {
  expect(senderOf({ locale: 'en' }, install)).toEqual(install);
  expect(['en', 'de-AT', 'fr', 'es', 'ja'].map((locale) => called('Ada Nilsson', locale))).toEqual([
    'Ada Nilsson via Holdfast',
    'Ada Nilsson via Holdfast',
    'Ada Nilsson via Holdfast',
    'Ada Nilsson a través de Holdfast',
    'Ada Nilsson（Holdfast経由）',
  ]);
  expect(called('Ada {name} $&')).toBe('Ada {name} $& via Holdfast');
  expect(senderOf({ locale: 'en', fromName: 'Ada' }, install).address).toBe(install.address);
});

test('a name that could pass for an address or for the install is left out of the sender', () => {
  const deceiving = [
    'support@bank.example',
    'support＠bank.example',
    'Holdfast',
    'HOLDFAST Security',
    'Hold\u200bfast',
    'Ｈｏｌｄｆａｓｔ Team',
    'Hold-fast Team',
    '\u202eHoldfast',
  ];
  for (const name of deceiving) expect(called(name), name).toBe('via Holdfast');
  const replyTo = { name: 'Holdfast Security', address: 'ada@example.org' };
  expect(replyToOf({ locale: 'en', replyTo }, install)).toEqual({ name: '', address: 'ada@example.org' });
  expect(called('', 'ja')).toBe('（Holdfast経由）');
});

test('an install with the name of a person leaves other people theirs', () => {
  const anna = { ...install, name: 'Anna' };
  expect(called('Joanna Lee', 'en', anna)).toBe('Joanna Lee via Anna');
  expect(called('Anna Lee', 'en', anna)).toBe('via Anna');
});

test('a name in a sender is one short line', () => {
  expect(called('Ada\r\nBcc: all')).toBe('Ada Bcc: all via Holdfast');
  expect([...called('x'.repeat(5_000))].length).toBeLessThan(120);
});
