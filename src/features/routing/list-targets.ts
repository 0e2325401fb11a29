import { listHosts } from '#features/accounts/public.ts';
import { listTypesOf } from '#features/booking/public.ts';
import { listMembers } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { routingContract } from './contract.ts';
import { demandOwn } from './demand-own.ts';
import { formOwnerOf } from './rules/form-owner.ts';

/** Destinations that a form can lead to. *Errors*: as `requirePermission`. */
export async function listTargets(
  { db }: Pick<App, 'db'>,
  actor: Actor,
  teamId: TeamId | null,
): Promise<Output<typeof routingContract.listTargets>> {
  const owner = formOwnerOf(actor.userId, teamId);
  await demandOwn(db, actor, owner, 'see-team');
  const types = await listTypesOf(db, owner);
  const hostIds = types.flatMap(({ hosts }) => hosts.map(({ userId }) => userId));
  const people = await listHosts(db, [...new Set([actor.userId, ...hostIds])]);
  const own = people.get(actor.userId);
  const owners = teamId === null ? (own === undefined ? [] : [own]) : await listMembers(db, teamId);
  return {
    people: owners.map(({ userId, name }) => ({ user_id: userId, name })),
    targets: types.map(({ id, title, kind, settings, hosts }) => ({
      event_type_id: id,
      title,
      kind,
      paused: settings.paused,
      hosts: hosts.flatMap(({ userId }) => {
        const host = people.get(userId);
        return host === undefined ? [] : [{ user_id: userId, name: host.name }];
      }),
    })),
  };
}
