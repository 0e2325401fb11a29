import { listHosts } from '#features/accounts/public.ts';
import { listTurns, listTypesOf } from '#features/booking/public.ts';
import { listTeamsOf, may } from '#features/teams/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { SubmissionId, UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import type { routingContract } from './contract.ts';
import { judgeFairness } from './rules/fairness.ts';
import { listOwnForms } from './store/form-rows.ts';
import { listOwnSubmissions, listReroutesOf } from './store/submission-rows.ts';

type Query = Input<typeof routingContract.readFairness>['query'];

/**
 * Returns how a round robin of a team was distributed. The counts are those that decide the next turn. Skipped hosts
 * come from the record made with each booking. *Errors*: AppError invalid (`RANGE`), not-found, conflict
 * (`NO_ROUND_ROBIN`).
 */
export async function getFairness(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  { event_type_id: id, from, to }: Query,
): Promise<Output<typeof routingContract.readFairness>> {
  if (to <= from || to - from > 366 * dayMs)
    throw new AppError('invalid', 'RANGE', 'Choose a range of up to a year that ends after it begins.');
  await requireOwnType(app, actor, id);
  const turns = await listTurns(app, id, { fromMs: from, toMs: to });
  if (turns === null) throw new AppError('conflict', 'NO_ROUND_ROBIN', "This event type isn't a round robin.");
  const { total, hosts } = judgeFairness(turns.hosts, turns.given);
  const people = await listHosts(
    app.db,
    hosts.map(({ userId }) => userId),
  );
  /** Skips without a recorded reason: given by hand, to others of the pool alone, or before the person joined. */
  const listSkips = (userId: UserId, got: number) => {
    const told = turns.passed.filter((one) => one.userId === userId);
    const rest = total - got - told.reduce((sum, { times }) => sum + times, 0);
    const skips = told.map(({ why, times }) => ({ reason: why, times }));
    return rest > 0 ? [...skips, { reason: 'not-asked', times: rest }] : skips;
  };
  return {
    title: turns.title,
    total,
    hosts: hosts.map(({ userId, ...host }) => ({
      user_id: userId,
      name: people.get(userId)?.name ?? '',
      ...host,
      skips: listSkips(userId, host.got),
    })),
  };
}

async function requireOwnType(app: Pick<App, 'db'>, { userId }: Actor, id: Query['event_type_id']): Promise<void> {
  for (const { id: teamId, role } of await listTeamsOf(app.db, userId)) {
    if (!may(role, 'see-analytics')) continue;
    if ((await listTypesOf(app.db, { userId: null, teamId })).some((type) => type.id === id)) return;
  }
  throw new AppError('not-found', 'NOT_FOUND', 'Event type not found.');
}

/** A person's own forms, what came in by them, and what they decided otherwise in any. */
export function exportRouting({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('routing-forms.json', () => listOwnForms(db, userId)),
    listPart<SubmissionId, { id: SubmissionId }>('routing-submissions.json', (page) =>
      listOwnSubmissions(db, userId, page),
    ),
    jsonPart('routing-decisions.json', () => listReroutesOf(db, userId)),
  ];
}
