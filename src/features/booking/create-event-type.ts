import { listMemberIds, requirePermission } from '#features/teams/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkSettings } from './check-settings.ts';
import type { bookingContract } from './contract.ts';
import { keepType } from './keep-type.ts';
import { mostTogether, putHosts } from './put-hosts.ts';
import { lockOwn } from './require-own.ts';
import { plainHost } from './rules/host-shapes.ts';
import { isTeamKind, ownerOf } from './rules/type-hosts.ts';
import { defaultSettings } from './rules/type-settings.ts';
import { tellOwner } from './tell-owner.ts';

type NewType = Input<typeof bookingContract.createEventType>['body'];

/**
 * Creates an event type. A team's begins with all of its members, as far as they can meet together. *Errors*: AppError
 * invalid (`NEEDS_TEAM`, `INVALID`), conflict (`SLUG_TAKEN`, `TOO_MANY`); as `requirePermission`.
 */
export async function createEventType(app: App, actor: Actor, body: NewType): Promise<EventTypeId> {
  const { team_id: teamId = null } = body;
  if (isTeamKind(body.kind) !== (teamId !== null))
    throw new AppError(
      'invalid',
      'NEEDS_TEAM',
      teamId === null
        ? 'Several hosts need a team. Choose a team, or One-on-One or Group.'
        : 'Team event types are Collective or Round Robin. Choose one of them.',
    );
  if (teamId !== null) await requirePermission(app.db, actor, teamId, 'manage-event-types');
  const given = Object.entries(body.settings ?? {}).filter(([, value]) => value !== undefined);
  const settings = { ...defaultSettings(body.kind), ...Object.fromEntries(given) };
  const owner = ownerOf(actor.userId, teamId);
  await checkSettings(app, owner, body.kind, settings);
  return inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    const { title, kind, slug, description = '', hidden = false, secret = false } = body;
    const id = await keepType(tx, { ...owner, title, kind, slug, description, hidden, secret, settings });
    if (teamId !== null) {
      const { quorum } = settings;
      const members = (await listMemberIds(tx, teamId)).map(plainHost);
      const hosts = body.hosts ?? (kind === 'collective' ? members.slice(0, mostTogether) : members);
      await putHosts(app, tx, { id, teamId, kind, quorum }, hosts);
    }
    await tellOwner(app, tx, owner);
    return id;
  });
}
