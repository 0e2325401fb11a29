import { expect, test } from 'vitest';
import { ApiError, silence } from '#kernel/api-error.ts';
import { errorTextOf } from './error-text.ts';

test('an error without a server message is shown in the language of the reader', () => {
  const words = { unexpected: 'Unerwartet', unreachable: 'Nicht erreichbar', failed: 'Fehlgeschlagen' };
  expect(errorTextOf(silence(new TypeError('fetch failed')), words)).toBe('Nicht erreichbar');
  expect(errorTextOf(new ApiError(502, 'UNKNOWN', 'Request failed'), words)).toBe('Fehlgeschlagen');
  expect(errorTextOf(new ApiError(409, 'TAKEN', 'Schon vergeben'), words)).toBe('Schon vergeben');
  expect(errorTextOf(new TypeError('x is undefined'), words)).toBe('Unerwartet');
});
