import { expect, test } from 'vitest';
import { type HourOfCalls, maskAddress, sumUp } from './rules.ts';

const nowMs = Temporal.Instant.from('2027-03-08T12:34:00Z').epochMilliseconds;
const hour = (ago: number, more: Partial<HourOfCalls>): HourOfCalls => ({
  hourMs: Temporal.Instant.from('2027-03-08T12:00:00Z').epochMilliseconds - ago * 3_600_000,
  lastMs: nowMs - ago * 3_600_000,
  answered: 0,
  auth: 0,
  limited: 0,
  refused: 0,
  silent: 0,
  latency: Array.from({ length: 11 }, () => 0),
  ...more,
});

test('integration figures sum up one day, and older hours count for uptime only', () => {
  const figures = sumUp(
    [
      hour(0, { answered: 90, silent: 6, auth: 4, latency: [90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }),
      hour(23, { answered: 100, latency: [0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0] }),
      hour(24, { silent: 50 }),
      hour(200, { answered: 50 }),
    ],
    nowMs,
  );
  expect(figures).toMatchObject({
    status: 'degraded',
    calls: 200,
    synced: 190,
    errorPct: 5,
    uptimePct: 75,
    issues: [
      { kind: 'silent', count: 6 },
      { kind: 'auth', count: 4 },
    ],
    lastAt: nowMs,
  });
  expect(figures.p50Ms).toBeGreaterThan(800);
  expect(figures.p95Ms).toBeLessThanOrEqual(1_600);
});

test('integration figures without any call are empty', () => {
  expect(sumUp([], nowMs)).toEqual({
    status: 'healthy',
    calls: 0,
    synced: 0,
    errorPct: null,
    uptimePct: null,
    p50Ms: null,
    p95Ms: null,
    issues: [],
    lastAt: null,
  });
});

test('an address is masked after its first three characters', () => {
  expect(['ada.lovelace@example.org', 'ab@x', '💻💻💻💻@x', ''].map(maskAddress)).toEqual([
    'ada*****',
    'ab*****',
    '💻💻💻*****',
    '*****',
  ]);
});
