/**
 * Owns: when people are open: policies with versions, days off, holidays, journeys; and which events are holds.
 * Announces: availability.changed, availability.holds-changed; open browsers hear the topic availability. Never: knows
 * what takes time. Features that follow a policy register that through `public.ts`.
 */
import * as z from 'zod/mini';
import { counter, uuid as id, line, text, trimmedLine } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { holdKinds } from './rules/hold-rules.ts';
import { dayShape, hoursShape, zoneName } from './rules/hours.ts';

const instant = z.iso.datetime();
const version = counter(1);
const name = trimmedLine(80).check(z.minLength(1, { error: 'Give it a name' }));
const note = text(500);
const reason = line(200);
const rank = z.literal([1, 2, 3, 4]);

/** The uses of a policy that prevent its deletion: as a present or future default, or by an event type. */
export const policyUseShape = z.strictObject({
  kind: z.string(), // active, scheduled, event-type
  id: z.string(),
  name: z.string(),
});

export const policyShape = z.strictObject({
  policy_id: id,
  name: z.string(),
  version: z.int(), // the newest
  active: z.boolean(),
  hours: hoursShape,
  note: z.string(),
  saved_at: instant,
  used_by: z.array(policyUseShape),
});

const daysOffShape = z.strictObject({ id, first_day: z.string(), last_day: z.string(), reason: z.string() });
const travelShape = z.strictObject({ id, zone: z.string(), first_day: z.string(), last_day: z.string() });
const holdShape = z.strictObject({ id, kind: z.enum(holdKinds), value: z.string(), rank });

export const availabilityShape = z.strictObject({
  /** The current hours. Before anything is saved: nine to five, version 0 of no policy. */
  current: z.strictObject({ policy_id: z.nullable(id), version: z.int(), hours: hoursShape }),
  policies: z.array(policyShape),
  /** Policies that become the default later. */
  switches: z.array(z.strictObject({ policy_id: id, from: instant })),
  days_off: z.array(daysOffShape), // present and future ones
  travels: z.array(travelShape),
  holidays: z.strictObject({
    country: z.nullable(z.string()),
    region: z.nullable(z.string()),
    days: z.array(z.strictObject({ day: z.string(), name: z.string(), rule: z.string(), worked: z.boolean() })), // for a year
  }),
  holds: z.array(holdShape),
});

const stored = { policyId: id };
const policyParams = z.strictObject(stored);
const idParams = z.strictObject({ id });
const days = { first_day: dayShape, last_day: dayShape };

export const availabilityContract = {
  readAvailability: endpoint({
    method: 'GET',
    path: '/api/availability',
    auth: 'user',
    summary:
      'Availability of the caller: current hours, saved policies, days off, holidays, trips, and rules for holds',
    output: availabilityShape,
  }),
  openHours: endpoint({
    method: 'GET',
    path: '/api/availability/hours',
    auth: 'user',
    summary: 'Open hours of the caller in [from, to), before busy time. At most 400 days',
    query: z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }),
    output: z.strictObject({
      zone: z.string(),
      spans: z.array(z.strictObject({ start: instant, end: instant })),
    }),
    errors: ['RANGE'],
  }),
  createPolicy: endpoint({
    method: 'POST',
    path: '/api/availability/policies',
    auth: 'user',
    summary: 'Save hours as a new policy. `apply` makes it the default',
    body: z.strictObject({ name, hours: hoursShape, note: note, apply: z.boolean() }),
    output: availabilityShape,
    status: 201,
    errors: ['NAME_TAKEN', 'TOO_MANY'],
  }),
  savePolicy: endpoint({
    method: 'PUT',
    path: '/api/availability/policies/{policyId}',
    auth: 'user',
    summary: 'Save a new version of a policy. Refused if `version` is not the newest',
    params: policyParams,
    body: z.strictObject({ version, name, hours: hoursShape, note: note }),
    output: availabilityShape,
    errors: ['STALE', 'NAME_TAKEN', 'TOO_MANY'],
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/api/availability/policies/{policyId}/versions',
    auth: 'user',
    summary: 'Versions of a policy, newest first. At most 50, fewer if their hours are long',
    params: policyParams,
    output: z.strictObject({
      versions: z.array(z.strictObject({ version: z.int(), hours: hoursShape, note: z.string(), saved_at: instant })),
    }),
  }),
  applyPolicy: endpoint({
    method: 'POST',
    path: '/api/availability/policies/{policyId}/apply',
    auth: 'user',
    summary: 'Make a policy the default, now or from a given day. Up to 50 changes can be planned',
    params: policyParams,
    body: z.strictObject({ from: z.nullable(dayShape) }),
    output: availabilityShape,
    errors: ['BAD_DAY', 'TOO_MANY'],
  }),
  cancelSwitch: endpoint({
    method: 'DELETE',
    path: '/api/availability/switches/{from}',
    auth: 'user',
    summary: 'Cancel a planned change of the default policy',
    params: z.strictObject({ from: instant }),
    output: availabilityShape,
  }),
  rollBackPolicy: endpoint({
    method: 'POST',
    path: '/api/availability/policies/{policyId}/roll-back',
    auth: 'user',
    summary: 'Save a new version with the content of an earlier one',
    params: policyParams,
    body: z.strictObject({ version, to: version }),
    output: availabilityShape,
    errors: ['STALE'],
  }),
  deletePolicy: endpoint({
    method: 'DELETE',
    path: '/api/availability/policies/{policyId}',
    auth: 'user',
    summary: 'Delete a policy that is not in use. `fields` of a refusal names its uses',
    params: policyParams,
    output: availabilityShape,
    errors: ['IN_USE'],
  }),
  addDaysOff: endpoint({
    method: 'POST',
    path: '/api/availability/days-off',
    auth: 'user',
    summary: 'Add days off, both days included',
    body: z.strictObject({ ...days, reason: reason }),
    output: availabilityShape,
    status: 201,
    errors: ['BAD_DAYS', 'TOO_MANY'],
  }),
  removeDaysOff: endpoint({
    method: 'DELETE',
    path: '/api/availability/days-off/{id}',
    auth: 'user',
    summary: 'Remove days off',
    params: idParams,
    output: availabilityShape,
  }),
  addTravel: endpoint({
    method: 'POST',
    path: '/api/availability/travels',
    auth: 'user',
    summary: 'Add a trip to another time zone, both days included',
    body: z.strictObject({ ...days, zone: zoneName }),
    output: availabilityShape,
    status: 201,
    errors: ['BAD_DAYS', 'OVERLAP', 'TOO_MANY'],
  }),
  removeTravel: endpoint({
    method: 'DELETE',
    path: '/api/availability/travels/{id}',
    auth: 'user',
    summary: 'Remove a trip',
    params: idParams,
    output: availabilityShape,
  }),
  listHolidayCountries: endpoint({
    method: 'GET',
    path: '/api/availability/holiday-countries',
    auth: 'user',
    summary: 'Countries and regions with known public holidays',
    output: z.strictObject({
      countries: z.array(
        z.strictObject({
          code: z.string(),
          name: z.string(),
          regions: z.array(z.strictObject({ code: z.string(), name: z.string() })),
        }),
      ),
    }),
  }),
  setHolidays: endpoint({
    method: 'PUT',
    path: '/api/availability/holidays',
    auth: 'user',
    summary: 'Set the country whose public holidays are days off, with exceptions. Without a country, there are none',
    body: z.strictObject({
      country: z.nullable(line(10)),
      region: z.nullable(line(10)),
      worked: z.array(line(200)).check(z.maxLength(100)),
    }),
    output: availabilityShape,
    errors: ['NO_COUNTRY'],
  }),
  setHold: endpoint({
    method: 'POST',
    path: '/api/availability/holds',
    auth: 'user',
    summary: 'Treat matching events as holds that can be booked over, or change the rank of such a rule',
    body: z.strictObject({
      kind: z.enum(holdKinds),
      value: trimmedLine(100),
      rank: rank,
    }),
    output: availabilityShape,
    status: 201,
    errors: ['BAD_VALUE', 'TOO_MANY'],
  }),
  removeHold: endpoint({
    method: 'DELETE',
    path: '/api/availability/holds/{id}',
    auth: 'user',
    summary: 'Treat such events as busy again',
    params: idParams,
    output: availabilityShape,
  }),
};
