import { sql } from 'kysely';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import { type Reading, reading } from '#platform/reading.ts';
import type { Hours } from '../rules/hours.ts';
import type { Days } from '../rules/open-spans.ts';
import type { DefaultSince, PolicyVersion } from '../rules/versions-in-force.ts';

export interface StoredVersion extends PolicyVersion {
  hours: Hours;
}

/** Everything that decides when somebody is open. */
export interface StoredHours {
  userId: UserId;
  defaults: DefaultSince[];
  versions: StoredVersion[];
  daysOff: Days[];
  travels: (Days & { zone: string })[];
  holidays: { country: string; region: string | null; worked: string[] } | null;
}

/** The policies and versions to read beside each user's default. */
export interface AskedPolicies {
  userIds: readonly UserId[];
  policyIds: readonly PolicyId[];
  pinned: readonly { policyId: PolicyId; n: number }[];
}

/** One query for any number of people: the versions that hold from `fromMs` on, and those that are pinned. */
export function hoursReading(asked: AskedPolicies, fromMs: number, fromDay: string): Reading<StoredHours[]> {
  const query = sql<StoredHours>`
    select u.id as "userId",
      coalesce((select jsonb_agg(jsonb_build_object('policyId', policy_id, 'fromMs', from_ms))
        from availability.defaults d where d.user_id = u.id), '[]') as defaults,
      coalesce((select jsonb_agg(jsonb_build_object(
          'policyId', v.policy_id, 'n', v.n, 'createdMs', v.created_ms, 'hours', v.hours))
        from availability.policies p join availability.versions v on v.policy_id = p.id
        where p.user_id = u.id
          and ((p.id in (select policy_id from availability.defaults d where d.user_id = u.id)
              or p.id = any(${asked.policyIds}::uuid[]))
            and v.n >= coalesce((select max(w.n) from availability.versions w
              where w.policy_id = p.id and w.created_ms <= ${fromMs}), 1)
            or (v.policy_id, v.n) in (select * from unnest(
              ${asked.pinned.map(({ policyId }) => policyId)}::uuid[],
              ${asked.pinned.map(({ n }) => n)}::int[])))), '[]') as versions,
      coalesce((select jsonb_agg(jsonb_build_object('firstDay', first_day, 'lastDay', last_day))
        from availability.days_off o where o.user_id = u.id and o.last_day >= ${fromDay}), '[]') as "daysOff",
      coalesce((select jsonb_agg(jsonb_build_object('firstDay', first_day, 'lastDay', last_day, 'zone', zone))
        from availability.travels t where t.user_id = u.id and t.last_day >= ${fromDay}), '[]') as travels,
      (select jsonb_build_object('country', country, 'region', region, 'worked', worked)
        from availability.holidays h where h.user_id = u.id) as holidays
    from unnest(${asked.userIds}::uuid[]) as u(id)`;
  return reading(query, (rows) => rows);
}

/**
 * The revision of each user's hours, including days off. It changes with every change. Users without any change since
 * revisions exist have none.
 */
export function revisionsReading(userIds: readonly UserId[]): Reading<Map<UserId, string>> {
  const query = sql<{ userId: UserId; revision: string }>`
    select user_id as "userId", revision from availability.revisions where user_id = any(${userIds}::uuid[])`;
  return reading(query, (rows) => new Map(rows.map(({ userId, revision }) => [userId, revision])));
}
