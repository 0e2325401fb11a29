import { type EntriesWanted, type Entry, listActorsLike, listEntries } from '#features/accounts/public.ts';
import type { Input } from '#kernel/contract.ts';
import type { Database } from '#platform/db.ts';
import type { adminContract } from './contract.ts';
import { everything } from './rules/wanted-entries.ts';

export type Filters = Input<typeof adminContract.exportAuditCsv>['query'];

/** Somebody who is looked for by more than so many letters is one of few. */
const mostActors = 20;

/** Reads pages of what a filter asks for; who is meant by its actor is looked up once. */
export async function findEntries(
  db: Database,
  { actor, actorType, action, text, from, to }: Filters,
): Promise<(before: number | null, limit: number) => Promise<Entry[]>> {
  const wanted: EntriesWanted = {
    ...everything,
    bySystem: actorType === undefined ? null : actorType === 'System',
    action: action ?? null,
    text: text ?? null,
    fromMs: from ?? null,
    toMs: to ?? null,
  };
  const typed = actor?.trim() ?? '';
  if (typed === '') return (before, limit) => listEntries(db, { ...wanted, before }, limit);
  const actors = wanted.bySystem === true ? [] : await listActorsLike(db, typed, mostActors);
  return async (before, limit) => {
    const found = await Promise.all(actors.map((actorId) => listEntries(db, { ...wanted, actorId, before }, limit)));
    return found
      .flat()
      .toSorted((one, other) => other.position - one.position)
      .slice(0, limit);
  };
}
