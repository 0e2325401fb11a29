import { listHosts } from '#features/accounts/public.ts';
import type { EventTypeId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { findContactOwner } from './contact-owner.ts';
import { listCandidates } from './list-candidates.ts';
import { type Candidate, orderHosts } from './rules/choose-host.ts';
import { findType } from './store/event-type-rows.ts';

export interface NextHost extends Omit<Candidate, 'id'> {
  userId: UserId;
  name: string;
  /** Looks after the guest, and goes first. */
  isOwner: boolean;
}

/**
 * With whom an event type would be booked that leads to these of its hosts alone: of a round robin in the order of their
 * turns at the moment, were all of them free. Null where it is not there.
 */
export async function listNextHosts(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  id: EventTypeId,
  only: { hostIds: readonly UserId[] | null; ownerFirst: boolean; email: string | null },
): Promise<{ title: string; paused: boolean; next: NextHost[] } | null> {
  const type = await findType(db, id);
  if (type === null) return null;
  const hosts = type.hosts.filter(({ userId }) => only.hostIds?.includes(userId) ?? true);
  const among = hosts.map(({ userId }) => userId);
  const [people, pool, owner] = await Promise.all([
    listHosts(db, among),
    listCandidates(db, type, clock.nowMs()),
    type.teamId !== null && only.ownerFirst && only.email !== null
      ? findContactOwner(db, { teamId: type.teamId, email: only.email, among })
      : null,
  ]);
  const candidates = among.flatMap((userId) => {
    const person = people.get(userId);
    const one = pool.find((candidate) => candidate.id === userId);
    if (person === undefined || person.suspended || one === undefined) return [];
    return [{ ...one, userId, name: person.name, isOwner: userId === owner }];
  });
  const next = type.kind === 'round-robin' ? orderHosts(candidates, owner) : candidates;
  return { title: type.title, paused: type.settings.paused, next };
}
