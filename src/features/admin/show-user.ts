import { countSessions, findPerson, listEntries } from '#features/accounts/public.ts';
import { listPlanNames } from '#features/billing/public.ts';
import { faceOf, listConnections } from '#features/connections/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { adminContract } from './contract.ts';
import { planOf, viewPerson } from './list-users.ts';
import { everything } from './rules/wanted-entries.ts';
import { viewEntries } from './view-entries.ts';

const entriesShown = 10;

/** *Errors*: AppError not-found. */
export async function showUser(
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
  if (person === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
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
    audit: await viewEntries(db, entries),
    isYou: actor.userId === userId,
  };
}
