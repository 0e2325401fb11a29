import { loadOwnerZone } from '#features/accounts/public.ts';
import { findKnown } from '#features/contacts/public.ts';
import { listMembers } from '#features/teams/public.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { Database } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { Condition, Folds } from './rules/condition.ts';
import { dayIn, type Facts, noFacts } from './rules/fact.ts';
import type { Definition } from './rules/form-definition.ts';
import type { FormOwner } from './rules/form-owner.ts';

/** Facts from a browser. */
export interface SaidByBrowser {
  language: string | null;
  zone: string | null;
}

/**
 * Facts of a visitor that the rules of the form ask for, among them tags of the contact. Other facts are neither looked up
 * nor kept. Two statements at most.
 */
export async function learnFacts(
  db: Database,
  { definition, ...owner }: FormOwner & { definition: Definition },
  email: string | null,
  browser: SaidByBrowser,
  nowMs: number,
  folds: Folds,
): Promise<Facts> {
  const asked = definition.rules.flatMap(({ conditions }) => conditions.filter((one) => 'fact' in one));
  const asks = (fact: keyof Facts) => asked.some((one) => one.fact === fact);
  const facts: Facts = {
    ...noFacts,
    language: asks('language') ? browser.language : null,
    zone: asks('zone') ? browser.zone : null,
  };
  if (asks('day')) facts.day = dayIn(await zoneOf(db, owner), nowMs);
  if (asks('contact') && email !== null) {
    const known = await findKnown(db, owner, email);
    const worn = known?.tags ?? [];
    const named = worn.length === 0 ? null : await inSlices(namedTags(asked, folds));
    facts.contact = { owner: known?.owner ?? null, tags: worn.filter((tag) => named?.has(folds.of(tag))) };
  }
  return facts;
}

/** Folded. */
function* namedTags(asked: readonly Condition[], folds: Folds): Sliced<Set<string>> {
  const named = new Set<string>();
  for (const one of asked) {
    if (one.op === 'tag' || one.op === 'tag-not') for (const tag of one.values) named.add(folds.of(tag));
    yield;
  }
  return named;
}

/** A team is where its owner is, who comes first among its members. */
async function zoneOf(db: Database, { userId, teamId }: FormOwner): Promise<string> {
  if (teamId === null) return loadOwnerZone(db, userId);
  const [owner] = await listMembers(db, teamId);
  return owner?.zone ?? 'UTC';
}
