import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** Everything of a person's row but what is of the machine. */
export async function getOwnRow(db: Database, userId: UserId): Promise<unknown> {
  const { rows } = await sql<{ row: unknown }>`
    select json_build_object('id', u.id, 'email', u.email, 'emailVerifiedAt', u.email_verified_at, 'name', u.name,
      'company', u.company, 'phone', u.phone, 'role', u.role, 'timeZone', u.zone, 'locale', u.locale,
      'timeFormat', u.time_format, 'dateFormat', u.date_format, 'weekStart', u.week_start, 'weekends', u.weekends,
      'weekNumbers', u.week_numbers, 'moreZones', u.more_zones, 'theme', u.theme, 'density', u.density,
      'hideEmail', u.hide_email, 'notifications', u.notifications, 'secondFactorSince', u.mfa_enabled_at, 'createdAt', u.created_at,
      'updatedAt', u.updated_at, 'avatar', encode(a.bytes, 'base64')) as "row"
    from accounts.users u left join accounts.avatars a on a.user_id = u.id where u.id = ${userId}`.execute(db);
  return rows[0]?.row;
}

/** Sessions without what proves them. */
export async function listSessionRows(db: Database, userId: UserId): Promise<unknown[]> {
  const { rows } = await sql`
    select id, user_agent as "userAgent", ip, method, second_factor as "secondFactor", created_at as "createdAt",
      last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from accounts.sessions where user_id = ${userId} order by created_at`.execute(db);
  return rows;
}

export async function listTrailRows(
  db: Database,
  userId: UserId,
  page: { after: number | null; limit: number },
): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select seq as id, at, kind, ip, user_agent as "userAgent", details from accounts.trail
    where user_id = ${userId} and seq > ${page.after ?? 0} order by seq limit ${page.limit}`.execute(db);
  return rows;
}
