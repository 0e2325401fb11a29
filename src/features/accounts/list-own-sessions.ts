import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { accountsContract } from './contract.ts';
import { deviceOf } from './rules/device.ts';
import { listSessions } from './store/sessions.ts';

type OwnSession = Output<typeof accountsContract.listSessions>['sessions'][number];

/** Where somebody is signed in. */
export async function listOwnSessions(app: Pick<App, 'db'>, actor: Actor): Promise<OwnSession[]> {
  const rows = await listSessions(app.db, actor);
  return rows.map((row) => ({
    id: row.id,
    current: row.id === actor.sessionId,
    device: deviceOf(row.user_agent),
    ip: row.ip,
    method: row.method,
    secondFactor: row.second_factor,
    createdAt: row.created_at.epochMilliseconds,
    lastSeenAt: row.last_seen_at.epochMilliseconds,
  }));
}
