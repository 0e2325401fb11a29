import { expect, test } from 'vitest';
import { sayError, sayFrom, sayMessages } from './error-words.ts';

const say = sayFrom({
  'There is no such form.': 'Dieses Formular gibt es nicht.',
  'There are {1} {2} already. Remove one.': 'Es gibt schon {1} {2}. Entfernen Sie etwas.',
  '{1} Nothing was changed.': '{1} Nichts wurde geändert.',
  '{1} did not give access ({2}).': 'Kein Zugriff ({2}) von {1}.',
  journeys: 'Reisen',
});

test('a text is said as the catalogue has it, with what is filled in where the language wants it', () => {
  expect(say('There is no such form.')).toBe('Dieses Formular gibt es nicht.');
  expect(say('Zoho did not give access (denied).')).toBe('Kein Zugriff (denied) von Zoho.');
});

test('what is filled in is translated where it is a text itself', () => {
  expect(say('There are 40 journeys already. Remove one.')).toBe('Es gibt schon 40 Reisen. Entfernen Sie etwas.');
  expect(say('There is no such form. Nothing was changed.')).toBe(
    'Dieses Formular gibt es nicht. Nichts wurde geändert.',
  );
});

test('the name of a field stays before what is wrong with it; what has no words stays English', () => {
  expect(say('body.title: There is no such form.')).toBe('body.title: Dieses Formular gibt es nicht.');
  expect(say('Something else.')).toBe('Something else.');
  expect(sayError('Something else.', 'en')).toBe('Something else.');
  expect(sayError('Something else.', 'en-XA')).toMatch(/^\[Šöɱ?.+[~ ]+\]$/);
});

test('of an answer only messages are translated, however deep, and nothing where English is read', () => {
  const answer = { accounts: [{ label: 'The password is wrong.', message: 'The password is wrong.', at: null }] };
  const [account] = (sayMessages(answer, 'de') as typeof answer).accounts;
  expect(account).toEqual({ label: 'The password is wrong.', message: 'Das Passwort ist falsch.', at: null });
  expect(sayMessages(answer, 'en')).toBe(answer);
});
