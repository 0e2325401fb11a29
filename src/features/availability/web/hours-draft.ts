import { type Hours, hoursShape } from '#features/availability/rules/hours.ts';
import type { Availability } from './queries.ts';

/** The edited hours, and the version they come from. Without a policy: the default before anything was saved. */
export interface Base {
  policyId: string | null;
  name: string;
  version: number;
  hours: Hours;
}

/**
 * The policy to edit: the chosen one, else what holds now. A person without a profile zone or saved policy starts with
 * the zone of the device.
 */
export function baseOf(
  availability: Availability,
  chosen: string | null,
  { profileZone, deviceZone }: { profileZone: string; deviceZone: string },
): Base {
  const { policies, current } = availability;
  const policy =
    policies.find(({ policy_id }) => policy_id === chosen) ??
    policies.find(({ policy_id }) => policy_id === current.policy_id);
  if (policy === undefined) {
    const timezone = profileZone === 'UTC' ? deviceZone : current.hours.timezone;
    return { policyId: null, name: '', version: 0, hours: { ...current.hours, timezone } };
  }
  return { policyId: policy.policy_id, name: policy.name, version: policy.version, hours: policy.hours };
}

/** Whether two say the same, overrides in whatever order. */
export function isSame(one: Hours, other: Hours): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

const ordered = ({ timezone, weekly, overrides }: Hours) => [
  timezone,
  Object.entries(weekly).sort(([a], [b]) => (a < b ? -1 : 1)),
  overrides.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
];

/** The errors that the server would return: texts by path, such as `weekly.monday.intervals.0.end`. */
export function faultsOf(hours: Hours): Map<string, string> {
  const checked = hoursShape.safeParse(hours);
  return new Map(checked.success ? [] : checked.error.issues.map(({ path, message }) => [path.join('.'), message]));
}
