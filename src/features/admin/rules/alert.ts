import * as z from 'zod/mini';
import { instantMs } from '#kernel/codecs.ts';

import { bounds, keyOf, type Service } from './health.ts';

export const severities = ['low', 'medium', 'high', 'critical'] as const;
type Severity = (typeof severities)[number];

export const alertLevels = ['info', 'warning', 'error'] as const;
export type AlertLevel = (typeof alertLevels)[number];

/** What can be wrong with the running system. Its words are in `adminHealth.alert.<rule>`. */
export const alertRules = ['service', 'queue-late', 'queue-full', 'dead-letters', 'errors'] as const;
export type AlertRule = (typeof alertRules)[number];

export interface Alert {
  rule: AlertRule;
  /** Of the rule: which service, queue, cause; empty where there is one only. */
  subject: string;
  level: AlertLevel;
  facts: Readonly<Record<string, string | number>>;
}

export const alertShape = z.object({
  id: z.int(),
  rule: z.enum(alertRules),
  subject: z.string(),
  level: z.enum(alertLevels),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  raisedAt: instantMs,
  endedAt: z.nullable(instantMs),
});

/** Kept on screen. */
export const alertsShown = 10;
/** What open browsers of administrators are told when an alert was raised or is over. */
export const alertsTopic = 'console';

export interface SystemFacts {
  services: readonly Service[];
  queues: readonly { name: string; due: number; oldestDueMs: number | null }[];
  /** Given up within the last hour. */
  deadLetters: number;
  errors: readonly { fingerprint: string; severity: Severity; told: string; count: number; agoMs: number }[];
}

/** So many jobs of one kind that nobody has taken up. */
const mostDue = 10_000;
/** An alert about errors stands for so long after the last of them. */
const errorsStandMs = 600_000;

/** A measure that comes and goes about its bound would raise an alert each time: one that stands ends at half of it. */
const reaches = (value: number, bound: number, stands: boolean) => value >= (stands ? bound / 2 : bound);

/** What should stand now, given what stands. One for each rule and subject. */
export function planAlerts(facts: SystemFacts, standing: readonly Pick<Alert, 'rule' | 'subject'>[]): Alert[] {
  const stands = (rule: AlertRule, subject: string) =>
    standing.some((one) => one.rule === rule && one.subject === subject);
  const [, lateMs, veryLateMs] = bounds.queueMs;
  const alerts: Alert[] = [];
  for (const service of facts.services) {
    // each queue tells by itself
    if (service.status === 'healthy' || service.name === 'queue') continue;
    const level = { degraded: 'info', warning: 'warning', critical: 'error' } as const;
    alerts.push({
      rule: 'service',
      subject: keyOf(service),
      level: level[service.status],
      facts: { status: service.status },
    });
  }
  for (const { name, due, oldestDueMs } of facts.queues) {
    const minutes = Math.floor((oldestDueMs ?? 0) / 60_000);
    if (reaches(oldestDueMs ?? 0, lateMs, stands('queue-late', name))) {
      const level = (oldestDueMs ?? 0) >= veryLateMs ? 'error' : 'warning';
      alerts.push({ rule: 'queue-late', subject: name, level, facts: { minutes, due } });
    }
    if (reaches(due, mostDue, stands('queue-full', name)))
      alerts.push({ rule: 'queue-full', subject: name, level: 'warning', facts: { due } });
  }
  if (facts.deadLetters > 0)
    alerts.push({ rule: 'dead-letters', subject: '', level: 'warning', facts: { count: facts.deadLetters } });
  for (const { fingerprint, severity, told, count, agoMs } of facts.errors) {
    if ((severity === 'high' || severity === 'critical') && agoMs < errorsStandMs)
      alerts.push({ rule: 'errors', subject: fingerprint, level: 'error', facts: { told, count } });
  }
  return alerts;
}
