import { sql } from 'kysely';
import type { BookingLinkId, FormId, SubmissionId, TeamId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { Answers, SaidAnswer } from '../rules/answers.ts';
import type { DecisionRecord } from '../rules/decision.ts';
import { gone } from '../rules/fact.ts';

export interface Submission {
  id: SubmissionId;
  formId: FormId;
  revision: number;
  name: string | null;
  email: string | null;
  phone: string | null;
  answers: Answers;
  said: SaidAnswer[];
  decision: DecisionRecord;
  linkId: BookingLinkId | null;
  sequence: number;
  createdMs: number;
  deeds: { atMs: number; actorId: UserId | null; kind: 'rerouted' | 'reassigned'; was: string; became: string }[];
}

const columns = sql`s.id, s.form_id as "formId", s.revision, s.name, s.email, s.phone, s.answers, s.said, s.decision,
  s.link_id as "linkId", s.sequence, s.created_ms as "createdMs",
  (select coalesce(jsonb_agg(jsonb_build_object('atMs', d.at_ms, 'actorId', d.actor_id, 'kind', d.kind, 'was', d.was,
      'became', d.became) order by d.sequence), '[]')
    from routing.deeds d where d.submission_id = s.id) as deeds`;

/** One sending of a page that comes twice at once is kept once. */
export async function lockAttempt(tx: Tx, formId: FormId, attempt: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('attempt ' || ${formId} || ${attempt}, 0))`.execute(tx);
}

export async function insertSubmission(
  tx: Tx,
  { attempt, ...one }: Omit<Submission, 'sequence' | 'deeds'> & { attempt: string },
): Promise<void> {
  await sql`
    insert into routing.submissions (id, form_id, revision, attempt, name, email, phone, answers, said, decision, link_id,
      created_ms)
    values (${one.id}, ${one.formId}, ${one.revision}, ${attempt}, ${one.name}, ${one.email}, ${one.phone},
      ${jsonb(one.answers)}, ${jsonb(one.said)}, ${jsonb(one.decision)}, ${one.linkId}, ${one.createdMs})`.execute(tx);
}

export async function findByAttempt(db: Database, formId: FormId, attempt: string): Promise<Submission | null> {
  const { rows } = await sql<Submission>`
    select ${columns} from routing.submissions s where s.form_id = ${formId} and s.attempt = ${attempt}`.execute(db);
  return rows[0] ?? null;
}

export async function findSubmission(db: Database, id: SubmissionId): Promise<Submission | null> {
  const { rows } = await sql<Submission>`select ${columns} from routing.submissions s where s.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

const isBooked = sql`exists (select from booking.routed r where r.link_id = s.link_id)`;

/** The SQL condition of each filter. */
const conditions = {
  booked: isBooked,
  open: sql`s.decision -> 'action' ->> 'kind' = 'event-type' and not ${isBooked}`,
  fallback: sql`s.decision ->> 'ruleId' is null`,
};
type Only = keyof typeof conditions;

/** Submissions of a form, newest first, after one of them. */
export async function listSubmissionRows(
  db: Database,
  formId: FormId,
  { only, after, limit }: { only: Only | null; after: SubmissionId | null; limit: number },
): Promise<Submission[]> {
  const { rows } = await sql<Submission>`
    select ${columns} from routing.submissions s
    where s.form_id = ${formId} and ${only === null ? sql`true` : conditions[only]}
      and (${after}::uuid is null or (s.created_ms, s.id) < (
      select a.created_ms, a.id from routing.submissions a where a.id = ${after}))
    order by s.created_ms desc, s.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Decided otherwise by somebody; false where it is not what they saw. */
export async function redecide(
  tx: Tx,
  {
    id,
    seen,
    decision,
    linkId,
  }: {
    id: SubmissionId;
    seen: number;
    decision: DecisionRecord;
    linkId: BookingLinkId | null;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update routing.submissions set decision = ${jsonb(decision)}, link_id = ${linkId}, sequence = sequence + 1
    where id = ${id} and sequence = ${seen}`.execute(tx);
  return numAffectedRows === 1n;
}

export async function insertReroute(
  tx: Tx,
  deed: {
    submissionId: SubmissionId;
    sequence: number;
    atMs: number;
    actorId: UserId;
    kind: 'rerouted' | 'reassigned';
    was: string;
    became: string;
  },
): Promise<void> {
  await sql`
    insert into routing.deeds (submission_id, sequence, at_ms, actor_id, kind, was, became)
    values (${deed.submissionId}, ${deed.sequence}, ${deed.atMs}, ${deed.actorId}, ${deed.kind}, ${deed.was},
      ${deed.became})`.execute(tx);
}

/** Takes somebody out of what was decided by a team's forms. */
export async function forgetHostOf(tx: Tx, teamId: TeamId, userId: UserId): Promise<void> {
  await sql`
    update routing.submissions s set decision = jsonb_set(
      jsonb_set(s.decision, '{hostIds}', coalesce((s.decision -> 'hostIds') - ${userId}::text, 'null')),
      '{action,user_ids}', coalesce((s.decision #> '{action,user_ids}') - ${userId}::text, 'null'))
    from routing.forms f
    where f.id = s.form_id and f.team_id = ${teamId} and s.decision #> '{action,user_ids}' ? ${userId}::text`.execute(
    tx,
  );
}

/** Replaces a contact owner who has left the team. */
export async function forgetOwnerOf(tx: Tx, teamId: TeamId, userId: UserId): Promise<void> {
  await sql`
    update routing.submissions s set decision = replace(s.decision::text, ${userId}, ${gone})::jsonb
    from routing.forms f
    where f.id = s.form_id and f.team_id = ${teamId} and s.decision::text like ${`%${userId}%`}`.execute(tx);
}

/** Deletes old submissions; returns their links. */
export async function dropOld(db: Database, beforeMs: number): Promise<BookingLinkId[]> {
  const { rows } = await sql<{ linkId: BookingLinkId | null }>`
    delete from routing.submissions where created_ms < ${beforeMs} returning link_id as "linkId"`.execute(db);
  return rows.flatMap(({ linkId }) => linkId ?? []);
}

/** Submissions of a person's own forms, in pages; for exports. */
export async function listOwnSubmissions(
  db: Database,
  userId: UserId,
  { after, limit }: { after: SubmissionId | null; limit: number },
): Promise<(Pick<Submission, 'id'> & object)[]> {
  const { rows } = await sql<Pick<Submission, 'id'> & object>`
    select s.id, f.name as form, s.revision, s.name, s.email, s.phone, s.said as answers, s.decision,
      to_timestamp(s.created_ms / 1000.0) as at
    from routing.submissions s join routing.forms f on f.id = s.form_id
    where f.user_id = ${userId} and (${after}::uuid is null or s.id > ${after}) order by s.id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Re-routes that a person made; for exports. */
export async function listReroutesOf(db: Database, userId: UserId): Promise<object[]> {
  const { rows } = await sql<object>`
    select d.kind, to_timestamp(d.at_ms / 1000.0) as at, d.was, d.became from routing.deeds d
    where d.actor_id = ${userId} order by d.at_ms, d.submission_id`.execute(db);
  return rows;
}
