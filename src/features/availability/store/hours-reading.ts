import { type RawBuilder, sql } from 'kysely';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import { type Reading, reading } from '#platform/reading.ts';
import { type Hours, mostTimes } from '../rules/hours.ts';
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

/** Added to the times of each version, since a version without any has a size too. */
const timesOfOne = 20;

/**
 * One query for any number of people: the versions in force from `fromMs` on, and those that are pinned. The newest
 * versions were counted when they were saved. Older ones are left out, the oldest first, where they have more than
 * `mostTimes` together.
 */
export function hoursReading(asked: AskedPolicies, fromMs: number, fromDay: string): Reading<StoredHours[]> {
  const query = sql<StoredHours>`
    select u.id as "userId",
      coalesce((select jsonb_agg(jsonb_build_object('policyId', policy_id, 'fromMs', from_ms))
        from availability.defaults d where d.user_id = u.id), '[]') as defaults,
      coalesce((select jsonb_agg(jsonb_build_object(
          'policyId', v.policy_id, 'n', v.n, 'createdMs', v.created_ms, 'hours', v.hours))
        from availability.policies p join availability.versions v on v.policy_id = p.id
        where p.user_id = u.id
          and ((v.policy_id, v.n) in (${versionsInForce(asked, fromMs)})
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

/** Selects the versions of the person `u` that are in force. *Shape*: policy_id, n. */
function versionsInForce({ policyIds }: AskedPolicies, fromMs: number): RawBuilder<unknown> {
  return sql`
    with followed as (
      select policy_id, from_ms, lead(from_ms) over (order by from_ms) as end_ms
      from availability.defaults where user_id = u.id
      union all
      select id, 0, null from availability.policies where user_id = u.id and id = any(${policyIds}::uuid[])),
    wanted as (
      select distinct w.policy_id, w.n, w.created_ms,
        case when w.n = p.version and p.deleted_ms is null then 0 else w.times + ${sql.lit(timesOfOne)} end as times
      from followed f join availability.policies p on p.id = f.policy_id
        join availability.versions w on w.policy_id = f.policy_id
          -- hours change with the minute of their saving
          and (f.end_ms is null or w.created_ms < f.end_ms + 60000)
          and w.n >= coalesce((select max(x.n) from availability.versions x
            where x.policy_id = f.policy_id and x.created_ms <= greatest(f.from_ms, ${fromMs}::bigint)), 1)
      where f.end_ms is null or f.end_ms > ${fromMs}::bigint)
    select policy_id, n from (
      select *, sum(times) over (order by created_ms desc, policy_id, n desc) as total from wanted) measured
    where times = 0 or total <= ${sql.lit(mostTimes)}`;
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
