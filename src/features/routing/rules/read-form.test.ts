import { expect, test } from 'vitest';
import type { Question } from './question.ts';
import { readTyped } from './read-form.ts';

test('URL parameters prefill questions by id, with underscores in place of hyphens', () => {
  const asked: Question[] = ['utm-source', 'name'].map((id) => ({ id, label: id, kind: 'text', required: false }));
  const read = (query: string) => readTyped(asked, new URLSearchParams(query));
  expect(read('utm_source=spring&name=Ada&other=x')).toEqual({ 'utm-source': ['spring'], name: ['Ada'] });
  expect(read('utm-source=letter&utm_source=spring')).toEqual({ 'utm-source': ['letter'] });
  expect(read('utm_source=')).toEqual({});
});
