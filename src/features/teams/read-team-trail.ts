import { hostsReading } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { readAlone } from '#platform/reading.ts';
import type { teamsContract } from './contract.ts';
import { requirePermission } from './require-permission.ts';
import { listDeeds } from './store/trail.ts';

const perPage = 50;

/** One page of what was done in a team. *Errors*: as `requirePermission`. */
export async function readTeamTrail(
  { db }: Pick<App, 'db'>,
  actor: Actor,
  teamId: TeamId,
  before: number | undefined,
): Promise<Output<typeof teamsContract.readTeamTrail>> {
  await requirePermission(db, actor, teamId, 'see-trail');
  const rows = await listDeeds(db, teamId, { before, most: perPage + 1 });
  const shown = rows.slice(0, perPage);
  const named = shown.flatMap(({ actorId, subjectId }) => [actorId, subjectId].filter((id) => id !== null));
  const people = await readAlone(db, hostsReading([...new Set(named)]));
  const nameOf = new Map(people.map(({ userId, name }) => [userId, name]));
  return {
    entries: shown.map(({ seq, atMs, kind, actorId, subjectId, details }) => ({
      seq,
      at: atMs,
      kind,
      by: actorId === null ? null : (nameOf.get(actorId) ?? null),
      to: subjectId === null ? null : (nameOf.get(subjectId) ?? null),
      details,
    })),
    next: rows.length > perPage ? (shown.at(-1)?.seq ?? null) : null,
  };
}
