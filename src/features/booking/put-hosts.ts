import { AppError } from '#kernel/errors.ts';
import type { EventTypeId, TeamId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { listCandidates } from './list-candidates.ts';
import { calibrationOf } from './rules/choose-host.ts';
import type { GivenHost } from './rules/host-shapes.ts';
import type { TypeKind } from './rules/type-settings.ts';
import { lockHosts } from './store/appointments.ts';
import { findType } from './store/event-type-rows.ts';
import { keepHosts, notInTeam } from './store/hosts.ts';

export const mostTogether = 10;

/**
 * Sets the hosts of a team's event type. A new host of a pool begins in the middle of it. *Errors*: AppError invalid
 * (`INVALID`) with the field.
 */
export async function putHosts(
  app: Pick<App, 'clock'>,
  tx: Tx,
  type: { id: EventTypeId; teamId: TeamId; kind: TypeKind; quorum: number | null },
  hosts: readonly GivenHost[],
): Promise<void> {
  checkHosts(type, hosts);
  // a pool that gives something away at the moment finishes first
  await lockHosts(
    tx,
    hosts.map(({ user_id }) => user_id),
  );
  const before = await findType(tx, type.id);
  const nowMs = app.clock.nowMs();
  const pool = before === null ? [] : await listCandidates(tx, before, nowMs);
  const known = new Set(pool.map(({ id }) => id));
  const isPool = type.kind === 'round-robin';
  const kept = hosts.map(({ user_id: userId, weight, priority, optional }) => ({
    userId,
    weight,
    priority,
    optional: optional && !isPool,
    calibration: isPool && !known.has(userId) ? calibrationOf(pool, weight) : 0,
  }));
  try {
    await keepHosts(tx, type, kept, nowMs);
  } catch (error) {
    throw notInTeam(error) ? refused('One of these people is no longer in the team.') : error;
  }
}

function checkHosts({ kind, quorum }: { kind: TypeKind; quorum: number | null }, hosts: readonly GivenHost[]): void {
  if (kind === 'round-robin') return;
  const required = hosts.filter(({ optional }) => !optional).length;
  if (hosts.length > mostTogether) throw refused(`Up to ${mostTogether} hosts can meet together.`);
  if (hosts.length > 0 && required === 0) throw refused('At least one host must be required.');
  if (quorum !== null && quorum > required) throw refused(`Only ${required} hosts are required.`, 'settings.quorum');
}

const refused = (message: string, field = 'hosts') =>
  new AppError('invalid', 'INVALID', message, { fields: { [field]: message } });
