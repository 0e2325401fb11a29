import { expect, test } from 'vitest';
import { shownName, shownTextsIn } from './shown-text.ts';

test('all texts inside a value lose signs that nobody sees, and nothing else changes', () => {
  const typed = { label: 'T\u202eno', options: ['a\u{e0041}', 'b'], count: 2, none: null, more: { text: '' } };
  const plain = { label: 'Tno', options: ['a', 'b'], count: 2, none: null, more: { text: '' } };
  expect(shownTextsIn(typed, 'settings')).toEqual(plain);
});

test('a name or label that nobody sees is refused at its field', () => {
  const refused = (field: string) =>
    expect.objectContaining({ code: 'INVALID_INPUT', fields: { [field]: 'Enter at least one visible character.' } });
  expect(() => shownName('\u00ad', 'name')).toThrow(refused('name'));
  expect(() => shownTextsIn({ questions: [{ label: '\u{e0041}' }] }, 'settings')).toThrow(
    refused('settings.questions.0.label'),
  );
});
