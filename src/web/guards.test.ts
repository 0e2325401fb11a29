import { expect, test } from 'vitest';
import { safeOrigin } from './guards.ts';

test('after signing in a person goes to the page they asked for', () => {
  expect(safeOrigin('/meetings?status=failed')).toBe('/meetings?status=failed');
});

test('an address of another site is never followed', () => {
  for (const from of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    undefined,
    7,
  ]) {
    expect(safeOrigin(from), String(from)).toBe('/calendar');
  }
});
