import { expect, test } from 'vitest';
import { decidePush } from './rules.ts';

const fresh = { attempts: 1, leftMs: 12 * 3_600_000 };
const status = (code: number, waitMs?: number) => ({ kind: 'status', status: code, waitMs }) as const;

test.each([
  [201, { is: 'sent' }],
  [202, { is: 'sent' }],
  [404, { is: 'gone' }],
  [410, { is: 'gone' }],
  [400, { is: 'refused', error: 'answered 400' }],
  [403, { is: 'refused', error: 'answered 403' }],
  [413, { is: 'refused', error: 'answered 413' }],
  [301, { is: 'refused', error: 'answered 301' }],
  [429, { is: 'again', error: 'answered 429', afterMs: 30_000 }],
  [503, { is: 'again', error: 'answered 503', afterMs: 30_000 }],
])('a push service response of %i is classified', (code, verdict) => {
  expect(decidePush(status(code), fresh)).toEqual(verdict);
});

test('push retries follow Retry-After within an hour, back off, and end', () => {
  expect(decidePush(status(429, 90_000), fresh)).toMatchObject({ afterMs: 90_000 });
  expect(decidePush(status(429, 1_000), fresh)).toMatchObject({ afterMs: 30_000 });
  expect(decidePush(status(429, 7_200_000), fresh)).toMatchObject({ afterMs: 3_600_000 });
  const waits = [1, 2, 3, 4].map((attempts) => decidePush(status(500), { ...fresh, attempts }));
  expect(waits.map((verdict) => 'afterMs' in verdict && verdict.afterMs)).toEqual([
    30_000, 120_000, 480_000, 1_920_000,
  ]);
  expect(decidePush(status(500), { ...fresh, attempts: 5 })).toEqual({ is: 'failed', error: 'answered 500' });
  expect(decidePush(status(429, 60_000), { attempts: 1, leftMs: 60_000 })).toMatchObject({ is: 'failed' });
});

test('a push is retried when it was not sent and never when its outcome is unknown', () => {
  expect(decidePush({ kind: 'not-sent', isForbidden: false }, fresh)).toMatchObject({ is: 'again' });
  expect(decidePush({ kind: 'not-sent', isForbidden: true }, fresh)).toMatchObject({ is: 'refused' });
  expect(decidePush({ kind: 'unknown' }, fresh)).toMatchObject({ is: 'failed' });
});
