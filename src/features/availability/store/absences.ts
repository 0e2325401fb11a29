import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Days } from '../rules/open-spans.ts';

export interface DaysOff extends Days {
  id: string;
  reason: string;
}

export interface Travel extends Days {
  id: string;
  zone: string;
}

/** Days off that end on or after `fromDay`, in order. */
export async function listDaysOff(db: Database, userId: UserId, fromDay: string): Promise<DaysOff[]> {
  const { rows } = await sql<DaysOff>`
    select id, first_day::text as "firstDay", last_day::text as "lastDay", reason from availability.days_off
    where user_id = ${userId} and last_day >= ${fromDay} order by first_day, id`.execute(db);
  return rows;
}

export async function insertDaysOff(tx: Tx, userId: UserId, one: DaysOff): Promise<void> {
  await sql`
    insert into availability.days_off (id, user_id, first_day, last_day, reason)
    values (${one.id}, ${userId}, ${one.firstDay}, ${one.lastDay}, ${one.reason})`.execute(tx);
}

export async function listTravels(db: Database, userId: UserId, fromDay: string): Promise<Travel[]> {
  const { rows } = await sql<Travel>`
    select id, zone, first_day::text as "firstDay", last_day::text as "lastDay" from availability.travels
    where user_id = ${userId} and last_day >= ${fromDay} order by first_day`.execute(db);
  return rows;
}

/** False where another journey has one of the days. */
export async function insertTravel(tx: Tx, userId: UserId, one: Travel): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into availability.travels (id, user_id, zone, first_day, last_day)
    values (${one.id}, ${userId}, ${one.zone}, ${one.firstDay}, ${one.lastDay})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

type Kind = 'days_off' | 'travels' | 'hold_rules';

/** False where there is none of theirs. */
export async function deleteRow(tx: Tx, kind: Kind, userId: UserId, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom(`availability.${kind}`)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** How many rows of a kind a person has. */
export async function countRows(db: Database, kind: Kind, userId: UserId): Promise<number> {
  const { count } = await db
    .selectFrom(`availability.${kind}`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export interface HolidayChoice {
  country: string;
  region: string | null;
  worked: string[];
}

export async function findHolidays(db: Database, userId: UserId): Promise<HolidayChoice | null> {
  const { rows } = await sql<HolidayChoice>`
    select country, region, worked from availability.holidays where user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export async function replaceHolidays(tx: Tx, userId: UserId, choice: HolidayChoice | null): Promise<void> {
  if (choice === null) {
    await sql`delete from availability.holidays where user_id = ${userId}`.execute(tx);
    return;
  }
  await sql`
    insert into availability.holidays (user_id, country, region, worked)
    values (${userId}, ${choice.country}, ${choice.region}, ${choice.worked}::text[])
    on conflict (user_id) do update set country = excluded.country, region = excluded.region,
      worked = excluded.worked`.execute(tx);
}
