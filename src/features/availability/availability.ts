import { randomUUIDv7 } from 'node:crypto';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError, part } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printInstant, printLocalDate } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import type { availabilityContract } from './contract.ts';
import { availabilityTopic, holdRulesChanged } from './events.ts';
import { listHolidays } from './holidays.ts';
import type { HoldRule } from './rules/hold-rules.ts';
import { defaultHours } from './rules/hours.ts';
import { tooMany } from './rules/policy-errors.ts';
import { activeOf, usesOf } from './rules/policy-uses.ts';
import { countRows, deleteRow, findHolidays, type HolidayChoice, listDaysOff, listTravels } from './store/absences.ts';
import { listDefaults, listFollowers } from './store/defaults.ts';
import { listSetRules, upsertHoldRule } from './store/hold-rules.ts';
import { listEveryVersion, listPolicies } from './store/policies.ts';

type Availability = Output<typeof availabilityContract.readAvailability>;

/** Everything a person has said about when they are there. */
export async function getAvailability({ db, clock }: Pick<App, 'db' | 'clock'>, actor: Actor): Promise<Availability> {
  const nowMs = clock.nowMs();
  const { userId } = actor;
  const ownerZone = await loadOwnerZone(db, userId);
  // the user's date may be a day behind while travelling
  const today = printLocalDate((loadZone(ownerZone)?.toLocal(nowMs) ?? nowMs) - dayMs);
  const [policies, defaults, followers, daysOff, travels, holidays, holds] = await Promise.all([
    listPolicies(db, userId),
    listDefaults(db, userId),
    listFollowers(db, userId),
    listDaysOff(db, userId, today),
    listTravels(db, userId, today),
    findHolidays(db, userId),
    listSetRules(db, userId),
  ]);
  const active = policies.find(({ policyId }) => policyId === activeOf(defaults, nowMs));
  const later = defaults.filter(({ fromMs }) => fromMs > nowMs);
  return {
    current: {
      policy_id: active?.policyId ?? null,
      version: active?.n ?? 0,
      hours: active?.hours ?? defaultHours(ownerZone),
    },
    policies: policies.map((policy) => ({
      policy_id: policy.policyId,
      name: policy.name,
      version: policy.n,
      active: policy === active,
      hours: policy.hours,
      note: policy.note,
      saved_at: printInstant(policy.createdMs),
      used_by: usesOf(policy, defaults, followers, nowMs),
    })),
    switches: later.map(({ policyId, fromMs }) => ({ policy_id: policyId, from: printInstant(fromMs) })),
    days_off: daysOff.map(({ id, firstDay, lastDay, reason }) => ({
      id,
      first_day: firstDay,
      last_day: lastDay,
      reason,
    })),
    travels: travels.map(({ id, firstDay, lastDay, zone }) => ({
      id,
      first_day: firstDay,
      last_day: lastDay,
      zone,
    })),
    holidays: await holidaysOf(holidays, nowMs),
    holds,
  };
}

const yearMs = 365 * dayMs;

async function holidaysOf(choice: HolidayChoice | null, nowMs: number): Promise<Availability['holidays']> {
  if (choice === null) return { country: null, region: null, days: [] };
  const days = await listHolidays(choice.country, choice.region, { startMs: nowMs, endMs: nowMs + yearMs });
  return {
    country: choice.country,
    region: choice.region,
    days: days.map((day) => ({ ...day, worked: choice.worked.includes(day.rule) })),
  };
}

const mostRules = 50;

/** Makes events holds, or gives a rule another rank. *Errors*: invalid BAD_VALUE; conflict TOO_MANY. */
export async function setHold(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  rule: HoldRule,
): Promise<void> {
  const calendars = rule.kind === 'calendar' ? await listCalendars(app.db, userId) : [];
  const value = readValue(rule, new Set(calendars.map(({ id }) => id)));
  await inTransaction(app.db, async (tx) => {
    if ((await countRows(tx, 'hold_rules', userId)) >= mostRules) throw tooMany(part('rules'), mostRules);
    await upsertHoldRule(tx, userId, { ...rule, value, id: randomUUIDv7() });
    await app.news.announce(tx, holdRulesChanged, { userId });
    await app.feed.publish(tx, userId, availabilityTopic);
  });
}

function readValue({ kind, value }: HoldRule, calendars: ReadonlySet<string>): string {
  switch (kind) {
    case 'tentative':
    case 'focus':
      return '';
    case 'calendar':
      if (calendars.has(value)) return value;
      throw badValue('Calendar not found.');
    case 'color':
      if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
      throw badValue('Enter a color such as #5e53dd.');
    case 'title-prefix':
    case 'category':
      if (value !== '') return value;
      throw badValue('Enter a value.');
  }
}

const badValue = (message: string) => new AppError('invalid', 'BAD_VALUE', message, { fields: { value: message } });

/** Such events take their time again. *Errors*: not-found. */
export function removeHold(app: Pick<App, 'db' | 'news' | 'feed'>, { userId }: Actor, id: string): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    if (!(await deleteRow(tx, 'hold_rules', userId, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'Rule not found.');
    await app.news.announce(tx, holdRulesChanged, { userId });
    await app.feed.publish(tx, userId, availabilityTopic);
  });
}

const ever = '0001-01-01';

/** All kept versions of policies, also of deleted ones, and the other settings of availability. */
export function exportAvailability({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('availability.json', async () => ({
      policies: await listEveryVersion(db, userId),
      defaults: await listDefaults(db, userId),
      daysOff: await listDaysOff(db, userId, ever),
      travels: await listTravels(db, userId, ever),
      holidays: await findHolidays(db, userId),
      holdRules: await listSetRules(db, userId),
    })),
  ];
}
