import { expect, test } from 'vitest';
import { sayError, sayFrom, sayMessages } from './error-words.ts';

const say = sayFrom({
  'Form not found.': 'Dieses Formular gibt es nicht.',
  'There are {1} {2} already. Remove one.': 'Es gibt schon {1} {2}. Entfernen Sie etwas.',
  '{1} Nothing was changed.': '{1} Nichts wurde geändert.',
  '{1} did not give access ({2}).': 'Kein Zugriff ({2}) von {1}.',
  journeys: 'Reisen',
});

test('an error text is translated from the catalog with its placeholders in place', () => {
  expect(say('Form not found.')).toBe('Dieses Formular gibt es nicht.');
  expect(say('Zoho did not give access (denied).')).toBe('Kein Zugriff (denied) von Zoho.');
});

test('a placeholder value that is an error text is translated too', () => {
  expect(say('There are 40 journeys already. Remove one.')).toBe('Es gibt schon 40 Reisen. Entfernen Sie etwas.');
  expect(say('Form not found. Nothing was changed.')).toBe('Dieses Formular gibt es nicht. Nichts wurde geändert.');
});

test('a field name stays before its translated error, and a text without translation stays English', () => {
  expect(say('body.title: Form not found.')).toBe('body.title: Dieses Formular gibt es nicht.');
  expect(say('Something else.')).toBe('Something else.');
  expect(sayError('Something else.', 'en')).toBe('Something else.');
  expect(sayError('Something else.', 'en-XA')).toMatch(/^\[Šöɱ?.+[~ ]+\]$/);
});

test('only messages in an answer are translated, at any depth, and none for English readers', () => {
  const answer = { accounts: [{ label: 'The password is wrong.', message: 'The password is wrong.', at: null }] };
  const [account] = (sayMessages(answer, 'de') as typeof answer).accounts;
  expect(account).toEqual({ label: 'The password is wrong.', message: 'Das Passwort ist falsch.', at: null });
  expect(sayMessages(answer, 'en')).toBe(answer);
});
