import { countPeople, listPeople, type Person } from '#features/accounts/public.ts';
import { listPlanNames } from '#features/billing/public.ts';
import { listProvidersOf } from '#features/connections/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { adminContract } from './contract.ts';
import { usersCounted, usersPerPage } from './rules/user-endpoints.ts';

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
export const planOf = (plans: ReadonlyMap<UserId, string> | null, id: UserId): string | null =>
  plans === null ? null : (plans.get(id) ?? '');

export function viewPerson(person: Person, integrations: string[], plan: string | null): View {
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
