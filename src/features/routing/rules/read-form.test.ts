import { expect, test } from 'vitest';
import type { Question } from './question.ts';
import { readPrefilled, readTyped } from './read-form.ts';

test('URL parameters prefill questions by id, with underscores in place of hyphens', () => {
  const asked: Question[] = ['utm-source', 'name'].map((id) => ({ id, label: id, kind: 'text', required: false }));
  const read = (query: string) => readTyped(asked, new URLSearchParams(query));
  expect(read('utm_source=spring&name=Ada&other=x')).toEqual({ 'utm-source': ['spring'], name: ['Ada'] });
  expect(read('utm-source=letter&utm_source=spring')).toEqual({ 'utm-source': ['letter'] });
  expect(read('utm_source=')).toEqual({});
});

test('a plus sign that an address lost is put back in a number and a mail address, and nowhere else', () => {
  const asked: Question[] = (['phone', 'email', 'text'] as const).map((kind) => ({
    id: kind,
    label: kind,
    kind,
    required: false,
  }));
  const read = (query: string) => readPrefilled(asked, new URLSearchParams(query));
  expect(read('phone=+49+30+123456&email=ada+x@example.org&text=one+two')).toEqual({
    phone: ['+49 30 123456'],
    email: ['ada+x@example.org'],
    text: ['one two'],
  });
  expect(read('phone=%2B49&email=ada%2Bx@example.org')).toEqual({ phone: ['+49'], email: ['ada+x@example.org'] });
  expect(read('text=x')).toEqual({ text: ['x'] });
});
