import { loadOwnerZone } from '#features/accounts/public.ts';
import { findKnown } from '#features/contacts/public.ts';
import { listMembers } from '#features/teams/public.ts';
import type { Database } from '#platform/db.ts';
import { fold } from './rules/condition.ts';
import { dayIn, type Facts, noFacts } from './rules/fact.ts';
import type { Definition } from './rules/form-definition.ts';
import type { FormOwner } from './rules/form-owner.ts';

/** What a browser says of itself. */
export interface SaidByBrowser {
  language: string | null;
  zone: string | null;
}

/**
 * What is known of whoever answers a form, so far as its rules ask for it: of the rest nothing is looked up or kept, of the
 * tags of a contact those that a rule names. Two statements at most.
 */
export async function learnFacts(
  db: Database,
  { definition, ...owner }: FormOwner & { definition: Definition },
  email: string | null,
  browser: SaidByBrowser,
  nowMs: number,
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
    const named = asked.flatMap((one) => (one.op === 'tag' || one.op === 'tag-not' ? one.values.map(fold) : []));
    const tags = known?.tags.filter((tag) => named.includes(fold(tag))) ?? [];
    facts.contact = { owner: known?.owner ?? null, tags };
  }
  return facts;
}

/** A team is where its owner is, who comes first among its members. */
async function zoneOf(db: Database, { userId, teamId }: FormOwner): Promise<string> {
  if (teamId === null) return loadOwnerZone(db, userId);
  const [owner] = await listMembers(db, teamId);
  return owner?.zone ?? 'UTC';
}
