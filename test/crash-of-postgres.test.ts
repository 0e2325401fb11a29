import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCrashWorld, stopCrashWorld, strikeEveryCall } from './harness/crash-world.ts';

beforeAll(startCrashWorld, 60_000);
afterAll(stopCrashWorld);

test('kill -9 of Postgres at every provider call, before and after it, ends in the undisturbed state', {
  timeout: 900_000,
}, async () => {
  const { before, after, writes } = await strikeEveryCall('postgres');
  process.stdout.write(`crash points of Postgres: ${before} before, ${after} after a call\n`);
  expect(writes).toBeGreaterThan(7);
  // timing moves a quiet look or two; what is written is struck in any case
  expect(before).toBeGreaterThanOrEqual(writes + 6);
  expect(after).toBeGreaterThanOrEqual(writes + 6);
});
