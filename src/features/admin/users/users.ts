import { resetFactor, sendMailCode } from '#features/access/public.ts';
import { listEntries, recordAct } from '#features/accounts/audit/public.ts';
import { startDeletion } from '#features/accounts/deletion/public.ts';
import {
  countPeople,
  findPerson,
  isOnlyAdmin,
  listPeople,
  type Person,
  setSuspension,
} from '#features/accounts/people/public.ts';
import { demandRecentProof, lockUser } from '#features/accounts/public.ts';
import type { AuditAction, AuditDetails } from '#features/accounts/rules/audit.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { countSessions, impersonateUser } from '#features/accounts/sessions/public.ts';
import { listPlanNames } from '#features/billing/public.ts';
import { faceOf, listConnections, listProvidersOf } from '#features/connections/public.ts';
import { createExport, getExportFile } from '#features/takeout/public.ts';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { noMoreMails } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { toShownEntries } from '../audit/audit.ts';
import { everything } from '../audit/rules.ts';
import type { adminContract } from '../contract.ts';
import { usersCounted, usersPerPage } from './contract.ts';

type List = typeof adminContract.listUsers;
type View = Output<List>['people'][number];

/** A page of the table; five statements at most. */
export async function listUsers(
  app: Pick<App, 'config' | 'clock' | 'db'>,
  query: Input<List>['query'],
): Promise<Output<List>> {
  const { db } = app;
  const wanted = { text: query.search?.trim() || null, state: query.status ?? null };
  const { after = null, before = null } = query;
  const [found, total] = await Promise.all([
    listPeople(db, { ...wanted, after, before, limit: usersPerPage + 1 }),
    countPeople(db, wanted, usersCounted + 1),
  ]);
  const isMore = found.length > usersPerPage;
  // one more than a page was asked for: it stands at the far end
  const rows = before === null ? found.slice(0, usersPerPage) : found.slice(-usersPerPage);
  const ids = rows.map(({ id }) => id);
  const [providers, plans] = await Promise.all([listProvidersOf(db, ids), listPlanNames(app, ids)]);
  return {
    people: rows.map((row) => viewPerson(row, providers.get(row.id) ?? [], planOf(plans, row.id))),
    total,
    hasNewer: before === null ? after !== null : isMore,
    hasOlder: before === null ? isMore : true,
  };
}

/** Null: billing is off, and everybody has everything; empty: no plan. */
const planOf = (plans: ReadonlyMap<UserId, string> | null, id: UserId): string | null =>
  plans === null ? null : (plans.get(id) ?? '');

function viewPerson(person: Person, integrations: string[], plan: string | null): View {
  const { id, email, name, role, state, hasMfa, createdMs, lastActiveMs } = person;
  return {
    id,
    email,
    name,
    role,
    integrations,
    plan,
    status: state,
    hasMfa,
    createdAt: createdMs,
    lastActive: lastActiveMs,
  };
}

const entriesShown = 10;

/** *Errors*: AppError not-found. */
export async function getUserDetails(
  app: Pick<App, 'config' | 'clock' | 'db'>,
  actor: Actor,
  userId: UserId,
): Promise<Output<typeof adminContract.readUser>> {
  const { db } = app;
  const [person, connections, sessions, entries, plans] = await Promise.all([
    findPerson(db, userId),
    listConnections(db, userId),
    countSessions(db, userId),
    listEntries(db, { ...everything, subjectId: userId }, entriesShown),
    listPlanNames(app, [userId]),
  ]);
  if (person === null) throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
  const shown = connections.map((one) => ({
    id: one.id,
    provider: faceOf(one).word,
    label: one.label,
    status: one.status,
  }));
  return {
    person: viewPerson(person, [...new Set(shown.map(({ provider }) => provider))], planOf(plans, userId)),
    suspendedAt: person.suspendedMs,
    sessions,
    connections: shown,
    audit: await toShownEntries(db, entries),
    isYou: actor.userId === userId,
  };
}

/** *Errors*: AppError conflict (ONLY_ADMIN), and as `actOnUser`. */
export async function suspend(
  app: Pick<App, 'db' | 'news'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'user_suspension', reason, request }, (tx) =>
    setSuspension(app, tx, userId, true),
  );
}

/** *Errors*: as `actOnUser`. */
export async function resume(
  app: Pick<App, 'db' | 'news'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'user_resumption', reason, request }, (tx) =>
    setSuspension(app, tx, userId, false),
  );
}

/** *Errors*: AppError invalid (WRONG_EMAIL), conflict (ONLY_ADMIN), and as `actOnUser`. */
export async function deleteUser(
  app: Pick<App, 'db' | 'news'>,
  actor: Actor,
  userId: UserId,
  { reason, email }: { reason: string; email: string },
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'user_deletion', reason, request }, async (tx, user) => {
    if (canonicalEmail(email) !== user.email) {
      const message = "This isn't the email address of this account. Nothing was deleted.";
      throw new AppError('invalid', 'WRONG_EMAIL', message, { fields: { email: message } });
    }
    if (await isOnlyAdmin(tx, userId)) {
      throw new AppError(
        'conflict',
        'ONLY_ADMIN',
        'This is the last administrator. Add another one first. Nothing was deleted.',
      );
    }
    // a suspended account does no work, and its blocks in other calendars must be removed
    await setSuspension(app, tx, userId, false);
    return startDeletion(app, tx, userId, null);
  });
}

/** Opens a session in somebody's place. *Errors*: AppError conflict (NOT_ADMINISTRATORS, NOT_ACTIVE), and as `actOnUser`. */
export function impersonate(
  app: Pick<App, 'db'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<{ token: string; seconds: number }> {
  return actOnUser(app, actor, userId, { action: 'impersonation_start', reason, request }, async (tx, user) => {
    if (user.role === 'admin') {
      throw new AppError('conflict', 'NOT_ADMINISTRATORS', "Administrators can't be impersonated.");
    }
    if (user.suspended_at !== null || user.email_verified_at === null) {
      throw new AppError('conflict', 'NOT_ACTIVE', 'Only active accounts can be impersonated.');
    }
    return impersonateUser(tx, actor, userId, request);
  });
}

/** *Errors*: AppError conflict (MFA_NOT_SET_UP), and as `actOnUser`. */
export async function resetMfa(
  app: Pick<App, 'db'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'mfa_reset', reason, request }, async (tx) => {
    if (await resetFactor(tx, userId)) return;
    throw new AppError(
      'conflict',
      'MFA_NOT_SET_UP',
      "Two-factor authentication isn't set up. There's nothing to reset.",
    );
  });
}

/** *Errors*: AppError conflict (ALREADY_VERIFIED), limited, and as `actOnUser`. */
export async function resendVerification(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'verification_resend', reason, request }, async (tx, user) => {
    if (user.email_verified_at !== null) {
      throw new AppError('conflict', 'ALREADY_VERIFIED', 'This address is already confirmed. Nothing was sent.');
    }
    if (!(await sendMailCode(app, tx, userId, 'verify'))) throw noMoreMails();
  });
}

/**
 * Exports a person's data: for the person, who finds it under their profile, and for an operator who has to hand it
 * over. *Errors*: as `actOnUser`.
 */
export async function exportUser(
  app: Pick<App, 'db' | 'feed' | 'jobs'>,
  actor: Actor,
  userId: UserId,
  reason: string,
  request: RequestFacts,
): Promise<void> {
  await actOnUser(app, actor, userId, { action: 'user_export', reason, request }, (tx) =>
    createExport(app, tx, userId, null),
  );
}

/** The file of an export for which a reason was given when it was asked for. *Errors*: AppError not-found. */
export async function getUserExport(
  { db }: Pick<App, 'db'>,
  actor: Actor,
  { userId, exportId }: { userId: UserId; exportId: string },
  request: RequestFacts,
): Promise<FileAnswer> {
  const file = await getExportFile(db, { userId }, exportId);
  await inTransaction(db, (tx) =>
    recordAct(tx, {
      actorId: actor.userId,
      action: 'user_export',
      subject: { kind: 'user', id: userId },
      reason: null,
      request,
      details: { downloaded: true },
    }),
  );
  return file;
}

interface UserAct {
  action: AuditAction;
  reason: string;
  request: RequestFacts;
  details?: AuditDetails;
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

/**
 * Does something to somebody, with its line in the audit, in one transaction. `act` answers false where there was nothing
 * to do: then nothing is written down either.
 * *Errors*: AppError forbidden (REAUTHENTICATE), not-found, conflict (NOT_YOURSELF, ACCOUNT_LEAVING), and those of the act.
 */
async function actOnUser<Result>(
  app: Pick<App, 'db'>,
  actor: Actor,
  userId: UserId,
  { action, reason, request, details }: UserAct,
  act: (tx: Tx, user: Locked) => Promise<Result>,
): Promise<Result> {
  demandRecentProof(actor);
  if (userId === actor.userId) {
    const message = "You can't do this to your own account. Ask another administrator.";
    throw new AppError('conflict', 'NOT_YOURSELF', message);
  }
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
    if (user.leaving_at !== null) {
      throw new AppError('conflict', 'ACCOUNT_LEAVING', 'This account is already being deleted.');
    }
    const result = await act(tx, user);
    if (result === false) return result;
    const subject = { kind: 'user', id: userId } as const;
    await recordAct(tx, { actorId: actor.userId, action, subject, reason, request, details });
    return result;
  });
}
