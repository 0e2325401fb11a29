import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Allowance } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Database } from './db.ts';
import { shareLook } from './share-look.ts';

export type { Allowance } from '#kernel/contract.ts';

/**
 * Takes one from the allowance of a subject, across all processes, by the database's clock.
 * *Errors*: AppError limited (`LIMITED`) with the time to wait. Nothing is taken then, so a victim is never locked out
 * for longer than the period.
 */
export async function takeAllowance(db: Database, allowance: Allowance, subject: string): Promise<void> {
  if (!(await takeTogether(db, allowance, subject))) throw await limited(db, allowance, limitKey(allowance, subject));
}

const waitingOf = new WeakMap<Database, Map<string, Set<string>>>();

/** Takes the allowances of concurrent callers in one statement. */
async function takeTogether(db: Database, allowance: Allowance, subject: string): Promise<boolean> {
  const { action } = allowance;
  const actions = waitingOf.get(db) ?? new Map<string, Set<string>>();
  waitingOf.set(db, actions);
  const waiting = actions.get(action) ?? new Set();
  actions.set(action, waiting);
  // a statement takes one of each: who asks twice waits for the next
  const isAgain = waiting.has(subject);
  waiting.add(subject);
  const taken = await shareLook(db, `allowance ${action}`, () => {
    const subjects = [...waiting];
    waiting.clear();
    return takeAllowances(db, allowance, subjects);
  });
  return isAgain ? takeTogether(db, allowance, subject) : taken.has(subject);
}

/** Takes one for each subject in one statement; gives those that had one left. */
export async function takeAllowances<Subject extends string>(
  db: Database,
  allowance: Allowance,
  subjects: readonly Subject[],
): Promise<Set<Subject>> {
  if (subjects.length === 0) return new Set();
  const step = sql`make_interval(secs => ${allowance.periodSeconds / allowance.burst}::float8)`;
  const whole = sql`make_interval(secs => ${allowance.periodSeconds}::float8)`;
  const subjectOf = new Map(subjects.map((subject) => [limitKey(allowance, subject).toString('hex'), subject]));
  // clock_timestamp, not now: inside a long transaction now() stands still. In order, so that two callers cannot wait
  // for each other.
  const { rows } = await sql<{ key: string }>`
    insert into platform.limits as l (key, full_at)
    select decode(key, 'hex'), clock_timestamp() + ${step} from unnest(${[...subjectOf.keys()]}::text[]) as given(key)
    order by key
    on conflict (key) do update set full_at = greatest(l.full_at, clock_timestamp()) + ${step}
      where greatest(l.full_at, clock_timestamp()) + ${step} <= clock_timestamp() + ${whole}
    returning encode(key, 'hex') as key`.execute(db);
  return new Set(rows.flatMap(({ key }) => subjectOf.get(key) ?? []));
}

/** A site has room for as many networks as this that use up their own allowance. */
export const networksPerSite = 3;

/**
 * `takeAllowance` of a network, and of the IPv6 site that it is in: one customer may have 65,536 networks.
 * *Errors*: as `takeAllowance`.
 */
export async function takeNetworkAllowance(db: Database, allowance: Allowance, ip: string): Promise<void> {
  await takeAllowance(db, allowance, networkOf(ip));
  await takeSiteAllowance(db, allowance, ip);
}

/** The second half of `takeNetworkAllowance`. *Errors*: as `takeAllowance`. */
export async function takeSiteAllowance(db: Database, allowance: Allowance, ip: string): Promise<void> {
  const site = siteOf(ip);
  if (site !== null) await takeAllowance(db, ofSite(allowance), site);
}

/** `takeNetworkAllowance` for callers that go another way when there is none left. */
export async function tryNetworkAllowance(db: Database, allowance: Allowance, ip: string): Promise<boolean> {
  const [network, site] = [networkOf(ip), siteOf(ip)];
  if (!(await takeAllowances(db, allowance, [network])).has(network)) return false;
  return site === null || (await takeAllowances(db, ofSite(allowance), [site])).has(site);
}

const ofSite = ({ action, burst, periodSeconds }: Allowance): Allowance => ({
  action: `${action}, site`,
  burst: burst * networksPerSite,
  periodSeconds,
});

/** Gives the whole allowance back, e.g. after a sign-in that succeeded. */
export async function restoreAllowance(db: Database, allowance: Allowance, subject: string): Promise<void> {
  await db.deleteFrom('platform.limits').where('key', '=', limitKey(allowance, subject)).execute();
}

/** Removes what limits nobody any more. */
export async function trimLimits(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('platform.limits')
    .where('full_at', '<', sql<Temporal.Instant>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function limitKey(allowance: Allowance, subject: string): Buffer {
  return createHash('sha256').update(`${allowance.action}\0${subject}`).digest();
}

async function waitMsFor(db: Database, allowance: Allowance, key: Buffer): Promise<number> {
  const spare = allowance.periodSeconds - allowance.periodSeconds / allowance.burst;
  const result = await sql<{ wait_ms: number }>`
    select extract(epoch from full_at - clock_timestamp() - make_interval(secs => ${spare}::float8))::float8 * 1000 as wait_ms
    from platform.limits where key = ${key}`.execute(db);
  return result.rows[0]?.wait_ms ?? 0;
}

async function limited(db: Database, allowance: Allowance, key: Buffer): Promise<AppError> {
  return refusal(Math.max(await waitMsFor(db, allowance, key), 1000));
}

const refusal = (waitMs: number) =>
  new AppError('limited', 'LIMITED', `Too many attempts. Try again in ${sayWait(waitMs)}.`, { retryAfterMs: waitMs });

/** `45 s`, `12 min`, or `3 h`. */
export function sayWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 90) return `${seconds} s`;
  return seconds <= 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}

/** Returns the network of an address: an IPv4 host, or an IPv6 /64, however it is spelled. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : prefixOf(address as ipaddr.IPv6, 64);
}

/** The IPv6 /48 that an address is in, the most that one customer is given; null for IPv4. */
export function siteOf(ip: string): string | null {
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? null : prefixOf(address as ipaddr.IPv6, 48);
}

function prefixOf({ parts }: ipaddr.IPv6, bits: 48 | 64): string {
  const groups = parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${groups.join(':')}::/${bits}`;
}

/** Whether the address is this machine, or a proxy on it that does not forward addresses: no network of its own. */
export const isLoopback = (ip: string): boolean => ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
