import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import { type AuditAction, type AuditDetails, auditActions, type SubjectKind } from '../rules/audit.ts';
import { readWantedWords, type WantedWords } from '../rules/search-words.ts';
import { beginWords, chooseRare, hasTerms } from './audit-words.ts';

export async function insertAct(
  tx: Tx,
  act: {
    actorId: UserId | null;
    action: AuditAction;
    subject?: { kind: SubjectKind; id: string } | undefined;
    reason: string | null;
    requestId: string | null;
    details?: AuditDetails | undefined;
  },
): Promise<void> {
  await tx
    .insertInto('accounts.audit_pending')
    .values({
      actor_id: act.actorId,
      action: act.action,
      subject_kind: act.subject?.kind ?? null,
      subject_id: act.subject?.id ?? null,
      reason: act.reason,
      request_id: act.requestId,
      details: jsonb(act.details ?? {}),
    })
    .execute();
}

/** Where the chain does not hold: an entry is not there, or not as it was written. */
export interface Break {
  position: number;
  kind: 'missing' | 'changed';
}

export interface Stretch {
  /** Entries that were looked at. */
  entries: number;
  /** The last of them. */
  last: { position: number; hash: string } | null;
  broken: Break | null;
}

/**
 * Looks at the entries after one. The hash is not computed by a database function, because an attacker who can change
 * rows could change the function.
 */
export async function checkStretch(db: Database, after: number, limit: number): Promise<Stretch> {
  const { rows } = await sql<{ entries: number; position: number | null; hash: string | null } & RawBreak>`
    with looked as (
      select position, hash, lag(position, 1, 0::bigint) over (order by position) as before,
        sha256(coalesce(lag(hash) over (order by position), '') || convert_to(jsonb_build_array(position,
          extract(epoch from at), actor_id, action, subject_kind, subject_id, reason, request_id, details)::text, 'UTF8'))
          as own
      from accounts.audit where position >= ${after} and position <= ${after + limit}),
    found as (select * from looked where position > ${after})
    select count(*) as entries, max(position) as position,
      (select encode(hash, 'hex') from found order by position desc limit 1) as hash,
      min(position) filter (where position <> before + 1) as gap,
      min(position) filter (where own <> hash) as changed,
      min(before) filter (where position <> before + 1) as "gapAfter"
    from found`.execute(db);
  const row = rows[0];
  if (row === undefined || row.position === null) return { entries: 0, last: null, broken: null };
  const { entries, position, hash } = row;
  return { entries, last: { position, hash: hash ?? '' }, broken: breakOf(row) };
}

interface RawBreak {
  gap: number | null;
  gapAfter: number | null;
  changed: number | null;
}

function breakOf({ gap, gapAfter, changed }: RawBreak): Break | null {
  if (gap !== null && (changed === null || gap <= changed)) return { position: (gapAfter ?? 0) + 1, kind: 'missing' };
  return changed === null ? null : { position: changed, kind: 'changed' };
}

/** The newest entry. */
export async function findHead(db: Database): Promise<{ position: number; hash: string } | null> {
  const { rows } = await sql<{ position: number; hash: string }>`
    select position, encode(hash, 'hex') as hash from accounts.audit order by position desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export interface Entry {
  position: number;
  atMs: number;
  actorId: UserId | null;
  action: AuditAction;
  subjectKind: SubjectKind | null;
  subjectId: string | null;
  reason: string | null;
  requestId: string | null;
  details: AuditDetails;
  hash: string;
}

export interface EntriesWanted {
  actorId: UserId | null;
  /** Whether the install itself did it; null for both. */
  bySystem: boolean | null;
  action: AuditAction | null;
  subjectId: string | null;
  /** Words of the reason and the details, in any order: each as it begins there, with what is typed after it. */
  text: string | null;
  fromMs: number | null;
  /** Not included. */
  toMs: number | null;
  /** Entries older than this one. */
  before: number | null;
}

const columns = sql`position, floor(extract(epoch from at) * 1000)::bigint as "atMs", actor_id as "actorId", action,
  subject_kind as "subjectKind", subject_id as "subjectId", reason, request_id as "requestId", details,
  encode(hash, 'hex') as hash`;

/** So many of the newest are looked through for words before their index is asked: what is common stands among them. */
const lookedThrough = 20_000;

/**
 * The newest first. Time is turned into places in the chain, which it never runs against. Entries of somebody, or of a kind,
 * are read action by action, each in its index from the newest: whatever is asked for, no more than a page of each.
 */
export async function listEntries(db: Database, wanted: EntriesWanted, limit: number): Promise<Entry[]> {
  const bounds = await placesOf(db, wanted);
  if (bounds.from >= bounds.to) return [];
  if (wanted.text === null) return listPlain(db, wanted, bounds, limit);
  const words = readWantedWords(wanted.text);
  return words.words.length === 0 ? [] : listWithWords(db, { ...wanted, words }, bounds, limit);
}

interface Places {
  from: number;
  to: number;
}

async function placesOf(db: Database, { fromMs, toMs, before }: EntriesWanted): Promise<Places> {
  const place = (ms: number) => sql`
    (select position from accounts.audit where at >= to_timestamp(${ms / 1000}::float8) order by at, position limit 1)`;
  const { rows } = await sql<{ from: number | null; to: number | null; end: number }>`
    select ${fromMs === null ? sql`0::bigint` : place(fromMs)} as "from", ${toMs === null ? sql`null::bigint` : place(toMs)} as "to",
      coalesce((select max(position) + 1 from accounts.audit), 0) as "end"`.execute(db);
  const { from = 0, to = null, end = 0 } = rows[0] ?? {};
  return { from: from ?? end, to: Math.min(to ?? end, before ?? end) };
}

async function listPlain(db: Database, wanted: EntriesWanted, { from, to }: Places, limit: number): Promise<Entry[]> {
  const { actorId, bySystem, action, subjectId } = wanted;
  const inPlace = sql`position >= ${from} and position < ${to}`;
  if (subjectId !== null || (actorId === null && bySystem === null && action === null)) {
    const { rows } = await sql<Entry>`
      select ${columns} from accounts.audit where ${inPlace}
        and ${subjectId === null ? sql`true` : sql`subject_id = ${subjectId}`} and ${whose(wanted)}
      order by position desc limit ${limit}`.execute(db);
    return rows;
  }
  const who = actorId !== null ? sql`actor_id = ${actorId}` : sql`by_system = k.by_system`;
  const kinds = actorId !== null ? [false] : bySystem === null ? [true, false] : [bySystem];
  const { rows } = await sql<Entry>`
    select ${columns} from accounts.audit where position in (
      select e.position from unnest(${action === null ? [...auditActions] : [action]}::text[]) as a(action)
        cross join unnest(${kinds}::boolean[]) as k(by_system)
        cross join lateral (
          select position from accounts.audit where ${who} and action = a.action and ${inPlace}
          order by position desc limit ${limit}) e
      order by e.position desc limit ${limit})
    order by position desc`.execute(db);
  return rows;
}

const whose = ({ actorId, bySystem, action }: EntriesWanted) => sql`
  ${actorId === null ? sql`true` : sql`actor_id = ${actorId}`} and ${action === null ? sql`true` : sql`action = ${action}`}
  and ${bySystem === null ? sql`true` : sql`by_system = ${bySystem}`}`;

async function listWithWords(
  db: Database,
  wanted: EntriesWanted & { words: WantedWords },
  { from, to }: Places,
  limit: number,
): Promise<Entry[]> {
  const { words, subjectId } = wanted;
  const fits = (since: number) => sql`position >= ${since} and position < ${to} and ${hasTerms(words)}
    and ${subjectId === null ? sql`true` : sql`subject_id = ${subjectId}`} and ${whose(wanted)}`;
  const since = Math.max(from, to - lookedThrough);
  const { rows: near } = await sql<Entry>`
    select ${columns} from accounts.audit where ${fits(since)} order by position desc limit ${limit}`.execute(db);
  if (near.length === limit || since === from) return near;
  const rare = await chooseRare(db, words.words, to);
  // entries with a rare word are read first: the planner cannot estimate beginnings of words. And all that match,
  // of them the newest: never by walking the chain down for want of a match
  const among =
    rare.length > 0
      ? sql`(select * from accounts.audit where ${beginWords(rare)} offset 0) as audit where ${fits(from)}`
      : sql`accounts.audit where ${fits(from)} and ${beginWords(words.words)}`;
  const { rows } = await sql<Entry>`
    with matched as materialized (select position from ${among})
    select ${columns} from accounts.audit
    where position in (select position from matched order by position desc limit ${limit})
    order by position desc`.execute(db);
  return rows;
}
