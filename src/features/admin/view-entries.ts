import { type Entry, listAddresses } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Database } from '#platform/db.ts';
import type { adminContract } from './contract.ts';

type View = Output<typeof adminContract.readUser>['audit'][number];

/** Entries with the addresses that people have now; one statement. */
export async function viewEntries(db: Database, entries: readonly Entry[]): Promise<View[]> {
  const people = entries.flatMap(({ actorId, subjectKind, subjectId }) => [
    ...(actorId === null ? [] : [actorId]),
    ...(subjectKind === 'user' && subjectId !== null ? [subjectId] : []),
  ]);
  const emails = people.length === 0 ? new Map<string, string>() : await listAddresses(db, [...new Set(people)]);
  return entries.map((one) => ({
    id: one.position,
    timestamp: one.atMs,
    actor: one.actorId === null ? null : (emails.get(one.actorId) ?? null),
    actorId: one.actorId,
    actorType: one.actorId === null ? 'System' : 'Admin',
    actionType: one.action,
    subject:
      one.subjectKind === null || one.subjectId === null
        ? null
        : { kind: one.subjectKind, id: one.subjectId, email: emails.get(one.subjectId) ?? null },
    reason: one.reason,
    details: one.details,
    requestId: one.requestId,
    hash: one.hash,
  }));
}
