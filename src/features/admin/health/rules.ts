import * as z from 'zod/mini';
import { instantMs } from '#kernel/codecs.ts';

/** From well to worst. */
export const healthStates = ['healthy', 'degraded', 'warning', 'critical'] as const;
export type Health = (typeof healthStates)[number];

const serviceNames = ['database', 'queue', 'worker', 'mail', 'stream', 'disk', 'backup', 'provider'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A part of the running system, as it was measured. */
export interface Service {
  name: ServiceName;
  /** Which provider's; otherwise null. */
  provider: string | null;
  status: Health;
  latencyMs: number | null;
  /** The numbers behind the status: `{ due: 3 }`. */
  facts: Readonly<Record<string, number>>;
}

const serviceShape = z.object({
  name: z.enum(serviceNames),
  provider: z.nullable(z.string()),
  /** The provider's name. */
  label: z.nullable(z.string()),
  status: z.enum(healthStates),
  latencyMs: z.nullable(z.number()),
  /** The share of successful probes in the last 24 hours, or null before the first. */
  successPct: z.nullable(z.number()),
  facts: z.record(z.string(), z.number()),
});
export type ServiceView = z.output<typeof serviceShape>;

export const measuredShape = z.object({ at: instantMs, status: z.enum(healthStates), services: z.array(serviceShape) });

/** Names a service among all: `mail`, `provider:google/generic`. */
export const keyOf = ({ name, provider }: Pick<Service, 'name' | 'provider'>) =>
  provider === null ? name : `${name}:${provider}`;

export const isWorking = ({ status }: Service) => status === 'healthy' || status === 'degraded';

export const worstOf = (services: readonly Pick<Service, 'status'>[]): Health =>
  healthStates[Math.max(0, ...services.map(({ status }) => healthStates.indexOf(status)))] as Health;

/** A measure and the bounds from which it is degraded, a warning, critical. */
function byBounds(value: number, [degraded, warning, critical]: readonly [number, number, number]): Health {
  if (value >= critical) return 'critical';
  if (value >= warning) return 'warning';
  return value >= degraded ? 'degraded' : 'healthy';
}

/** Bounds of each measure; the screen states them, the tests hold them. */
const bounds = {
  /** One statement, ms. */
  databaseMs: [100, 500, 2_000],
  /** The oldest job that nobody has taken up, ms. */
  queueMs: [30_000, 120_000, 600_000],
  /** Since a worker last looked after the system, ms. */
  workerMs: [45_000, 120_000, 300_000],
  /** The oldest mail that is not sent, ms. */
  mailMs: [120_000, 900_000, 3_600_000],
  /** From a message to the browser's side of it, ms. */
  streamMs: [250, 1_000, 5_000],
  /** How much of the disk is used, percent. */
  diskPct: [80, 90, 95],
  /** Age of the newest backup, in the times between two of them. */
  backupTimes: [1.25, 2, 4],
  /** Readings of the last two hours without an answer, percent. */
  silentPct: [2, 10, 50],
} as const satisfies Record<string, readonly [number, number, number]>;

export const judgeDatabase = (latencyMs: number): Health => byBounds(latencyMs, bounds.databaseMs);
export const judgeQueue = (oldestDueMs: number): Health => byBounds(oldestDueMs, bounds.queueMs);
export const judgeStream = (latencyMs: number | null): Health =>
  latencyMs === null ? 'critical' : byBounds(latencyMs, bounds.streamMs);
export const judgeDisk = (usedPct: number): Health => byBounds(usedPct, bounds.diskPct);

/** Null: there is none yet. */
export const judgeBackup = (ageHours: number | null, everyHours: number): Health =>
  ageHours === null ? 'warning' : byBounds(ageHours / everyHours, bounds.backupTimes);

/** Null: no worker has ever looked. */
export const judgeWorker = (agoMs: number | null): Health =>
  agoMs === null ? 'critical' : byBounds(agoMs, bounds.workerMs);

/** Without a server nobody gets mail; what is refused by its own fault does not speak against the server. */
export function decideMailStatus(mail: { hasServer: boolean; oldestWaitingMs: number }): Health {
  return mail.hasServer ? byBounds(mail.oldestWaitingMs, bounds.mailMs) : 'warning';
}

/** So few readings decide nothing unless none was answered. */
const fewCalls = 5;

export function decideProviderStatus({ calls, silent }: { calls: number; silent: number }): Health {
  if (calls === 0) return 'healthy';
  if (calls < fewCalls) return silent === calls ? 'warning' : 'healthy';
  return byBounds((silent / calls) * 100, bounds.silentPct);
}

export const severities = ['low', 'medium', 'high', 'critical'] as const;
type Severity = (typeof severities)[number];

const alertLevels = ['info', 'warning', 'error'] as const;
type AlertLevel = (typeof alertLevels)[number];

/** Rules for alerts about the running system. Their texts are in `adminHealth.alert.<rule>`. */
const alertRules = ['service', 'queue-late', 'queue-full', 'dead-letters', 'errors'] as const;
type AlertRule = (typeof alertRules)[number];

export interface Alert {
  rule: AlertRule;
  /** The service, queue or cause; empty if the rule has only one. */
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
/** Live-update topic for administrators: an alert was raised or ended. */
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
/** Time for which an alert about errors stays after the last of them. */
const errorsStandMs = 600_000;

/** A measure that comes and goes about its bound would raise an alert each time: one that stands ends at half of it. */
const reaches = (value: number, bound: number, stands: boolean) => value >= (stands ? bound / 2 : bound);

/** The alerts that should be open now, given the open ones. One for each rule and subject. */
export function planAlerts(facts: SystemFacts, standing: readonly Pick<Alert, 'rule' | 'subject'>[]): Alert[] {
  const stands = (rule: AlertRule, subject: string) =>
    standing.some((one) => one.rule === rule && one.subject === subject);
  const [, lateMs, veryLateMs] = bounds.queueMs;
  const alerts: Alert[] = [];
  for (const service of facts.services) {
    // each queue raises its own alert
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
