import { expect, test } from 'vitest';
import {
  type Alert,
  decideMailStatus,
  decideProviderStatus,
  isWorking,
  judgeBackup,
  judgeDisk,
  judgeQueue,
  judgeStream,
  judgeWorker,
  planAlerts,
  type Service,
  type SystemFacts,
  worstOf,
} from './rules.ts';

const well: SystemFacts = { services: [], queues: [], deadLetters: 0, errors: [] };
const service = (status: Service['status'], more: Partial<Service> = {}): Service => ({
  name: 'mail',
  provider: null,
  status,
  latencyMs: null,
  facts: {},
  ...more,
});
const brief = (alerts: Alert[]) => alerts.map(({ rule, subject, level }) => `${rule} ${subject} ${level}`);

test('each health measure changes its status exactly at its threshold', () => {
  expect([29_999, 30_000, 120_000, 600_000].map(judgeQueue)).toEqual(['healthy', 'degraded', 'warning', 'critical']);
  expect([null, 24, 30, 48, 96].map((hours) => judgeBackup(hours, 24))).toEqual([
    'warning',
    'healthy',
    'degraded',
    'warning',
    'critical',
  ]);
  expect([79, 80, 90, 95].map(judgeDisk)).toEqual(['healthy', 'degraded', 'warning', 'critical']);
  expect([judgeWorker(null), judgeWorker(15_000), judgeWorker(300_000)]).toEqual(['critical', 'healthy', 'critical']);
  expect([judgeStream(null), judgeStream(12)]).toEqual(['critical', 'healthy']);
  expect(decideMailStatus({ hasServer: false, oldestWaitingMs: 0 })).toBe('warning');
  expect(decideMailStatus({ hasServer: true, oldestWaitingMs: 3_600_000 })).toBe('critical');
});

test("a provider's status follows its share of unanswered calls, and few calls weigh little", () => {
  expect(decideProviderStatus({ calls: 0, silent: 0 })).toBe('healthy');
  expect(decideProviderStatus({ calls: 3, silent: 3 })).toBe('warning');
  expect(decideProviderStatus({ calls: 4, silent: 3 })).toBe('healthy');
  expect(decideProviderStatus({ calls: 100, silent: 2 })).toBe('degraded');
  expect(decideProviderStatus({ calls: 100, silent: 50 })).toBe('critical');
});

test('the overall status is that of the worst service, and healthy when nothing was measured', () => {
  expect(worstOf([])).toBe('healthy');
  expect(worstOf([service('degraded'), service('critical'), service('healthy')])).toBe('critical');
  expect([service('degraded'), service('warning')].map(isWorking)).toEqual([true, false]);
});

test('a healthy system raises no alert', () => {
  expect(planAlerts({ ...well, services: [service('healthy')] }, [])).toEqual([]);
});

test('an unhealthy service raises one alert under its name with its severity', () => {
  const services = [
    service('degraded'),
    service('critical', { name: 'provider', provider: 'google/generic' }),
    service('critical', { name: 'queue' }),
  ];
  expect(brief(planAlerts({ ...well, services }, []))).toEqual([
    'service mail info',
    'service provider:google/generic error',
  ]);
});

test('an alert about a late queue ends only below half of its threshold', () => {
  const queues = (oldestDueMs: number, due = 1) => ({ ...well, queues: [{ name: 'q', due, oldestDueMs }] });
  expect(planAlerts(queues(119_000), [])).toEqual([]);
  expect(brief(planAlerts(queues(120_000), []))).toEqual(['queue-late q warning']);
  const standing = [{ rule: 'queue-late', subject: 'q' } as const];
  expect(brief(planAlerts(queues(60_000), standing))).toEqual(['queue-late q warning']);
  expect(planAlerts(queues(59_000), standing)).toEqual([]);
  expect(brief(planAlerts(queues(600_000, 10_000), []))).toEqual(['queue-late q error', 'queue-full q warning']);
});

test('recent high-severity errors raise one alert per cause, and medium ones raise none', () => {
  const error = { fingerprint: 'f', severity: 'high', told: 'a request failed', count: 3, agoMs: 1_000 } as const;
  expect(brief(planAlerts({ ...well, errors: [error] }, []))).toEqual(['errors f error']);
  expect(planAlerts({ ...well, errors: [{ ...error, agoMs: 600_000 }] }, [])).toEqual([]);
  expect(planAlerts({ ...well, errors: [{ ...error, severity: 'medium' }] }, [])).toEqual([]);
  expect(brief(planAlerts({ ...well, deadLetters: 2 }, []))).toEqual(['dead-letters  warning']);
});
