import { loadOwnerZone } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printInstant, printLocalDate } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { availabilityContract } from './contract.ts';
import { listHolidays } from './list-holidays.ts';
import { defaultHours } from './rules/hours.ts';
import { activeOf, usesOf } from './rules/policy-uses.ts';
import { findHolidays, type HolidayChoice, listDaysOff, listTravels } from './store/absences.ts';
import { listDefaults, listFollowers } from './store/defaults.ts';
import { listSetRules } from './store/hold-rules.ts';
import { listPolicies } from './store/policies.ts';

type Availability = Output<typeof availabilityContract.readAvailability>;

/** Everything a person has said about when they are there. */
export async function readAvailability({ db, clock }: Pick<App, 'db' | 'clock'>, actor: Actor): Promise<Availability> {
  const nowMs = clock.nowMs();
  const { userId } = actor;
  const ownerZone = await loadOwnerZone(db, userId);
  // theirs may be a day behind wherever they travel
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
