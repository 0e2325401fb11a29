import { expect, test } from 'vitest';
import { ApiError } from '#kernel/api-error.ts';
import { forgetRefusal, openRefusal } from './refusal.tsx';

test('what is typed while a form is sent does not let go of its answer', () => {
  const asked: boolean[] = [];
  const typeInto = (isError: boolean) => forgetRefusal({ isError, reset: () => void asked.push(isError) })();
  typeInto(false);
  expect(asked).toEqual([]);
  typeInto(true);
  expect(asked).toEqual([true]);
});

const refused = (fields: Record<string, string>) => new ApiError(422, 'INVALID_INPUT', 'Wrong', { fields });

test('the error of a field goes once the field is changed, and the errors of others stay', () => {
  const sent = { title: '', settings: { slug: 'a b', seats: 0 } };
  const error = refused({ title: 'Missing', 'body.settings.slug': 'No blanks' });
  expect(openRefusal(error, sent, sent)).toEqual({ error, errors: { title: 'Missing', 'settings.slug': 'No blanks' } });
  const better = { ...sent, title: 'Intro' };
  expect(openRefusal(error, sent, better)).toEqual({ error, errors: { 'settings.slug': 'No blanks' } });
  const right = { ...better, settings: { slug: 'a-b', seats: 0 } };
  expect(openRefusal(error, sent, right)).toEqual({ error: null, errors: {} });
});

test('the error of an item in a list follows the item, and goes with it', () => {
  const [first, second] = [
    { id: 'x', label: 'Name' },
    { id: 'y', label: '' },
  ];
  const error = refused({ 'questions.1.label': 'Missing' });
  const open = (questions: object[]) => openRefusal(error, { questions: [first, second] }, { questions }).errors;
  expect(open([second, first])).toEqual({ 'questions.0.label': 'Missing' });
  expect(open([first, { ...second, label: 'Topic' }])).toEqual({});
  expect(open([first])).toEqual({});
  expect(open([first, { id: 'z', label: '' }])).toEqual({});
});

test('a refusal without fields stays until the next attempt', () => {
  const error = new ApiError(409, 'STALE', 'Changed');
  expect(openRefusal(error, { title: 'a' }, { title: 'b' })).toEqual({ error, errors: {} });
  expect(openRefusal(null, undefined, {})).toEqual({ error: null, errors: {} });
});
