import { type RawBuilder, sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Subscription, Trial } from '../rules.ts';

export interface Person {
  trial: Trial | null;
  customerId: string | null;
  subscriptions: Subscription[];
}

const subscriptionColumns = sql`s.id, s.item_id as "itemId", s.status, s.price_id as "priceId", p.plan_key as "planKey", s.amount,
  s.currency, s.every, s.started_ms as "startedMs", s.period_ends_ms as "periodEndsMs", s.trial_ends_ms as "trialEndsMs",
  s.cancels_ms as "cancelsMs", s.ended_ms as "endedMs", s.unpaid_since_ms as "unpaidSinceMs", s.next_amount as "nextAmount"`;

/** Begins with somebody of whom nobody has asked yet; `trial` is theirs then. */
export async function ensurePerson(db: Database, userId: UserId, trial: Trial | null): Promise<void> {
  await sql`
    insert into billing.people (user_id, trial_started_ms, trial_ends_ms)
    values (${userId}, ${trial?.startedMs ?? null}, ${trial?.endsMs ?? null}) on conflict do nothing`.execute(db);
}

/** Locks the person until the transaction ends, so that additions run one after the other. */
export async function lockPerson(tx: Tx, userId: UserId): Promise<void> {
  await sql`select from billing.people where user_id = ${userId} for update`.execute(tx);
}

/** False where it does not end then any more. */
export async function moveTrialEnd(tx: Tx, userId: UserId, from: number, to: number): Promise<boolean> {
  const { rows } = await sql`
    update billing.people set trial_ends_ms = ${to} where user_id = ${userId} and trial_ends_ms = ${from}
    returning user_id`.execute(tx);
  return rows.length > 0;
}

/** Within the lock of that person. */
export async function setTrial(tx: Tx, userId: UserId, { startedMs, endsMs }: Trial): Promise<void> {
  await sql`
    update billing.people set trial_started_ms = ${startedMs}, trial_ends_ms = ${endsMs} where user_id = ${userId}`.execute(
    tx,
  );
}

/** Null where nobody has asked of them yet. */
export async function findPerson(db: Database, userId: UserId, live: boolean): Promise<Person | null> {
  const { rows } = await sql<{ startedMs: number | null; endsMs: number | null; customerId: string | null }>`
    select b.trial_started_ms as "startedMs", b.trial_ends_ms as "endsMs", c.id as "customerId"
    from billing.people b left join billing.customers c on c.user_id = b.user_id and c.live = ${live}
    where b.user_id = ${userId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { startedMs, endsMs, customerId } = row;
  const trial = startedMs === null || endsMs === null ? null : { startedMs, endsMs };
  return { trial, customerId, subscriptions: customerId === null ? [] : await listSubscriptions(db, customerId) };
}

async function listSubscriptions(db: Database, customerId: string): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select ${subscriptionColumns} from billing.subscriptions s left join billing.prices p on p.id = s.price_id
    where s.customer_id = ${customerId} order by s.started_ms desc, s.id`.execute(db);
  return rows;
}

interface Decided {
  userId: UserId;
  trialEndsMs: number | null;
  subscriptions: Subscription[];
}

/** All that decides which plan people have, in one statement. */
const decided = (live: boolean, which: RawBuilder<unknown>) => sql<Decided>`
  select b.user_id as "userId", b.trial_ends_ms as "trialEndsMs", coalesce((
    select json_agg(one) from (
      select ${subscriptionColumns} from billing.customers c join billing.subscriptions s on s.customer_id = c.id
        left join billing.prices p on p.id = s.price_id
      where c.user_id = b.user_id and c.live = ${live}) one), '[]') as subscriptions
  from billing.people b where ${which}`;

const subscribed = (live: boolean) => sql`exists (
  select from billing.customers c join billing.subscriptions s on s.customer_id = c.id
  where c.user_id = b.user_id and c.live = ${live})`;

/** Billing rows of these users. Users without one are left out. */
export async function listPeople(db: Database, userIds: readonly UserId[], live: boolean): Promise<Decided[]> {
  const { rows } = await decided(live, sql`b.user_id = any(${userIds}::uuid[])`).execute(db);
  return rows;
}

/** Users with a present or past subscription, in pages by id. */
export async function listSubscribers(
  db: Database,
  live: boolean,
  { after, limit }: { after: UserId | null; limit: number },
): Promise<Decided[]> {
  const following = sql`${subscribed(live)} and (${after}::uuid is null or b.user_id > ${after}::uuid) order by b.user_id limit ${limit}`;
  const { rows } = await decided(live, following).execute(db);
  return rows;
}

/** Users with a trial or subscription that ends by `untilMs`, is unpaid, or ended since `sinceMs`, in pages by id. */
export async function listChanging(
  db: Database,
  live: boolean,
  { nowMs, untilMs, sinceMs }: { nowMs: number; untilMs: number; sinceMs: number },
  { after, limit }: { after: UserId | null; limit: number },
): Promise<Decided[]> {
  const changing = sql`(b.trial_ends_ms > ${nowMs} and b.trial_ends_ms <= ${untilMs} or exists (
    select from billing.customers c join billing.subscriptions s on s.customer_id = c.id
    where c.user_id = b.user_id and c.live = ${live} and (s.trial_ends_ms > ${nowMs} and s.trial_ends_ms <= ${untilMs}
      or s.unpaid_since_ms > ${sinceMs} or s.ended_ms > ${sinceMs})))`;
  const following = sql`${changing} and (${after}::uuid is null or b.user_id > ${after}::uuid) order by b.user_id limit ${limit}`;
  const { rows } = await decided(live, following).execute(db);
  return rows;
}

/** How many never had one: in their trial, and after it. */
export async function countUnsubscribed(
  db: Database,
  live: boolean,
  nowMs: number,
): Promise<{ inTrial: number; others: number }> {
  const { rows } = await sql<{ inTrial: number; others: number }>`
    select count(*) filter (where trial_ends_ms > ${nowMs})::int as "inTrial",
      count(*) filter (where coalesce(trial_ends_ms, 0) <= ${nowMs})::int as others
    from billing.people b where not ${subscribed(live)}`.execute(db);
  return rows[0] ?? { inTrial: 0, others: 0 };
}
