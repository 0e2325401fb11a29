import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCrashWorld, stopCrashWorld, strikeEveryCall } from './harness/crash-world.ts';

beforeAll(startCrashWorld, 60_000);
afterAll(stopCrashWorld);

test('mirroring ends in the undisturbed state after PostgreSQL is killed before or after any provider call', {
  timeout: 900_000,
}, async () => {
  const { calls, again, writes } = await strikeEveryCall('postgres');
  process.stdout.write(`crash points of Postgres: ${calls} calls, ${again} of them again on the other side\n`);
  expect(writes).toBe(9);
  // timing moves a quiet look or two; what is written is struck in any case, on both sides
  expect(calls).toBeGreaterThanOrEqual(writes + 6);
  expect(again).toBeGreaterThanOrEqual(writes);
});
