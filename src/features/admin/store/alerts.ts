import { sql } from 'kysely';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { Alert } from '../health/rules.ts';

interface StoredAlert extends Alert {
  id: number;
  raisedAt: number;
  endedAt: number | null;
}

/** The newest first; those that stand before those that are over. */
export async function listAlerts(db: Database, limit: number): Promise<StoredAlert[]> {
  const { rows } = await sql<StoredAlert>`
    select id, rule, subject, level, facts, floor(extract(epoch from raised_at) * 1000)::float8 as "raisedAt",
      floor(extract(epoch from ended_at) * 1000)::float8 as "endedAt"
    from admin.alerts order by ended_at is not null, id desc limit ${limit}`.execute(db);
  return rows;
}

export async function listStandingAlerts(db: Database): Promise<Pick<Alert, 'rule' | 'subject'>[]> {
  const { rows } = await sql<Pick<Alert, 'rule' | 'subject'>>`
    select rule, subject from admin.alerts where ended_at is null`.execute(db);
  return rows;
}

/** Brings what stands in line; true where a browser should look again. */
export async function settleAlerts(tx: Tx, wanted: readonly Alert[]): Promise<boolean> {
  const { rows } = await sql<{ news: boolean }>`
    with wanted as (
      select * from jsonb_to_recordset(${jsonb(wanted)}) as given(rule text, subject text, level text, facts jsonb)),
    ended as (
      update admin.alerts a set ended_at = now() where ended_at is null
        and not exists (select from wanted w where w.rule = a.rule and w.subject = a.subject) returning 1),
    changed as (
      update admin.alerts a set level = w.level, facts = w.facts from wanted w
      where a.ended_at is null and w.rule = a.rule and w.subject = a.subject
        and (w.level, w.facts) is distinct from (a.level, a.facts) returning 1),
    raised as (
      insert into admin.alerts (rule, subject, level, facts)
      select rule, subject, level, facts from wanted order by rule, subject
      on conflict (rule, subject) where ended_at is null do nothing returning 1)
    select exists (select from ended) or exists (select from changed) or exists (select from raised) as news`.execute(
    tx,
  );
  return rows[0]?.news === true;
}

const mostKept = 1_000;

/** Removes what has been over for so many days, and what is too much. */
export async function deleteOldAlerts(db: Database, keptDays: number): Promise<void> {
  await sql`
    delete from admin.alerts where ended_at < now() - make_interval(days => ${keptDays})
      or ended_at is not null and id in (select id from admin.alerts order by id desc offset ${mostKept})`.execute(db);
}
