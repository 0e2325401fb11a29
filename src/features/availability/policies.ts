import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Output } from '#kernel/contract.ts';
import { AppError, part } from '#kernel/errors.ts';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { parseLocalDate, printInstant } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf, type Tx } from '#platform/db.ts';
import type { availabilityContract } from './contract.ts';
import { notifyHoursChanged } from './open-hours.ts';
import type { FollowedPolicy } from './rules/followed-policy.ts';
import { type Hours, mostTimes } from './rules/hours.ts';
import { nameTaken, noPolicy, stalePolicy, tooMany, tooManyTimes } from './rules/policy-errors.ts';
import { type PolicyUse, usesOf } from './rules/policy-uses.ts';
import type { DefaultSince } from './rules/versions-in-force.ts';
import {
  countPlanned,
  deleteDefault,
  deleteUse,
  listDefaults,
  listFollowers,
  setDefault,
  trimDefaults,
  upsertUse,
} from './store/defaults.ts';
import {
  countPolicies,
  countTimes,
  findVersion,
  insertPolicy,
  insertVersion,
  keptVersions,
  listVersions,
  lockPolicy,
  markDeleted,
  raiseVersion,
  removeUnused,
  trimVersions,
} from './store/policies.ts';

const mostPolicies = 50;
const mostPlanned = 50;

/**
 * Saves hours under a name of their own, as the default from now on where that is wanted.
 * *Errors*: conflict NAME_TAKEN, TOO_MANY.
 */
export async function createPolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  body: { name: string; hours: Hours; note: string; apply: boolean },
): Promise<void> {
  const id = randomUUIDv7() as string as PolicyId;
  const nowMs = app.clock.nowMs();
  try {
    await inTransaction(app.db, async (tx) => {
      if ((await countPolicies(tx, userId)) >= mostPolicies) throw tooMany(part('policies'), mostPolicies);
      await insertPolicy(tx, { id, userId, name: body.name, nowMs });
      await insertVersion(tx, { policyId: id, n: 1, hours: body.hours, note: body.note, userId, nowMs });
      if ((await countTimes(tx, userId)) > mostTimes) throw tooManyTimes();
      if (body.apply) await putDefault(tx, userId, { policyId: id, fromMs: nowMs }, nowMs);
      await notifyHoursChanged(app, tx, userId);
    });
  } catch (error) {
    if (isViolationOf(error, 'policies_name')) throw nameTaken(error);
    throw error;
  }
}

/** Saves a policy. `version` is the version that was edited. Without a name, the policy keeps its name. */
interface Saved {
  version: number;
  name: string | null;
  hours: Hours;
  note: string;
}

/** A new version of a policy, unless it says what the one before says. *Errors*: not-found; conflict STALE where it has a newer one than `version`, NAME_TAKEN, TOO_MANY. */
export async function savePolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  policyId: PolicyId,
  { version, name, hours, note }: Saved,
): Promise<void> {
  try {
    await inTransaction(app.db, async (tx) => {
      const policy = await lockPolicy(tx, userId, policyId);
      if (policy === null) throw noPolicy();
      const before = policy.version === version ? await findVersion(tx, userId, policyId, version) : null;
      if (isDeepStrictEqual(before, hours) && (name ?? policy.name) === policy.name) return;
      const had = await countTimes(tx, userId);
      if (!(await raiseVersion(tx, { id: policyId, userId, version, name }))) throw stalePolicy();
      await insertVersion(tx, { policyId, n: version + 1, hours, note, userId, nowMs: app.clock.nowMs() });
      await trimVersions(tx, policyId, version + 1);
      // policies of before the limit may become shorter one by one
      if ((await countTimes(tx, userId)) > Math.max(mostTimes, had)) throw tooManyTimes();
      await notifyHoursChanged(app, tx, userId);
    });
  } catch (error) {
    if (isViolationOf(error, 'policies_name')) throw nameTaken(error);
    throw error;
  }
}

/** A new version that says what version `to` said: what was between them stays to be read. */
export async function rollBackPolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  actor: Actor,
  policyId: PolicyId,
  { version, to }: { version: number; to: number },
): Promise<void> {
  const old = await findVersion(app.db, actor.userId, policyId, to);
  if (old === null) throw new AppError('not-found', 'NOT_FOUND', 'Version not found.');
  await savePolicy(app, actor, policyId, { version, name: null, hours: old, note: `As version ${to}` });
}

const farthestMs = 2 * 366 * dayMs;

/** Makes a policy its person's default: now, or when a day begins in its zone. *Errors*: not-found; invalid BAD_DAY; conflict TOO_MANY. */
export function applyPolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  policyId: PolicyId,
  from: string | null,
): Promise<void> {
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    const policy = await lockPolicy(tx, userId, policyId);
    if (policy === null) throw noPolicy();
    const hours = await findVersion(tx, userId, policyId, policy.version);
    const fromMs = from === null ? nowMs : beginOf(from, hours?.timezone ?? 'UTC');
    if (fromMs < nowMs || fromMs > nowMs + farthestMs) throw badDay();
    if (fromMs > nowMs && (await countPlanned(tx, userId, { nowMs, butMs: fromMs })) >= mostPlanned)
      throw tooMany(part('planned changes'), mostPlanned);
    await putDefault(tx, userId, { policyId, fromMs }, nowMs);
    await notifyHoursChanged(app, tx, userId);
  });
}

async function putDefault(tx: Tx, userId: UserId, since: DefaultSince, nowMs: number): Promise<void> {
  await setDefault(tx, userId, since);
  await trimDefaults(tx, userId, nowMs);
  await removeUnused(tx, userId);
}

function beginOf(day: string, zone: string): number {
  return loadZone(zone)?.toInstant(parseLocalDate(day) ?? 0) ?? 0;
}

function badDay(): AppError {
  const message = 'Choose a day after today, within two years. Nothing was changed.';
  return new AppError('invalid', 'BAD_DAY', message, { fields: { from: message } });
}

/** Lets a policy not become the default later. A default that has begun stays. *Errors*: not-found. */
export function cancelSwitch(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  from: string,
): Promise<void> {
  const fromMs = Temporal.Instant.from(from).epochMilliseconds;
  return inTransaction(app.db, async (tx) => {
    const isAhead = fromMs > app.clock.nowMs();
    if (!isAhead || !(await deleteDefault(tx, userId, fromMs)))
      throw new AppError('not-found', 'NOT_FOUND', 'No policy change is scheduled for that date.');
    await notifyHoursChanged(app, tx, userId);
  });
}

/** Deletes a policy. Its last version stays while it is one of the past defaults. *Errors*: not-found; conflict IN_USE. */
export function deletePolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  policyId: PolicyId,
): Promise<void> {
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    const policy = await lockPolicy(tx, userId, policyId);
    if (policy === null) throw noPolicy();
    const [defaults, followers] = [await listDefaults(tx, userId), await listFollowers(tx, userId)];
    const uses = usesOf({ policyId, name: policy.name }, defaults, followers, nowMs);
    if (uses.length > 0) throw inUse(uses);
    await markDeleted(tx, policyId, nowMs);
    await removeUnused(tx, userId);
    await notifyHoursChanged(app, tx, userId);
  });
}

function inUse(uses: readonly PolicyUse[]): AppError {
  const words = uses.map(({ kind, name }) => {
    if (kind === 'active') return part('it is your default');
    return kind === 'scheduled' ? part('it becomes your default later') : part(`“${name}” follows it`);
  });
  return new AppError('conflict', 'IN_USE', `This policy is in use: ${words.join('; ')}. Nothing was deleted.`, {
    fields: Object.fromEntries(uses.map(({ kind, id, name }) => [`${kind} ${id}`, name])),
  });
}

/**
 * Notes that something follows a policy, or no longer does: while it does, the policy cannot be deleted. In the
 * transaction that saves what follows. `follower`: its kind, its id (a UUID) and what its person calls it.
 *
 * *Errors*: AppError not-found where the policy, or the pinned version, is not the person's.
 */
export async function followPolicy(tx: Tx, userId: UserId, follower: PolicyUse, policy: FollowedPolicy): Promise<void> {
  if (policy.kind === 'default') {
    await deleteUse(tx, follower.kind, follower.id);
    return;
  }
  const { policyId } = policy;
  if ((await lockPolicy(tx, userId, policyId)) === null) throw noPolicy();
  const n = policy.kind === 'version' ? policy.n : null;
  if (n !== null && (await findVersion(tx, userId, policyId, n)) === null) throw noPolicy();
  await upsertUse(tx, userId, follower, { policyId, n });
}

/** The newest versions of a policy; fewer than are kept where their hours are long. *Errors*: not-found. */
export async function listPolicyVersions(
  { db }: Pick<App, 'db'>,
  { userId }: Actor,
  policyId: PolicyId,
): Promise<Output<typeof availabilityContract.listVersions>> {
  const versions = await listVersions(db, userId, policyId, { versions: keptVersions, times: mostTimes });
  if (versions.length === 0) throw noPolicy();
  return {
    versions: versions.map(({ n, hours, note, createdMs }) => ({
      version: n,
      hours,
      note,
      saved_at: printInstant(createdMs),
    })),
  };
}
