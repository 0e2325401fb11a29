import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { accountsContract } from './contract.ts';
import { deviceOf } from './rules/device.ts';
import type { AccountEventKind, TrailDetails } from './rules/trail.ts';
import { listTrailEntries } from './store/trail.ts';

type Trail = Output<typeof accountsContract.readTrail>;

const entriesPerPage = 50;

/** One page of what happened to somebody's account. */
export async function readTrail(app: Pick<App, 'db'>, actor: Actor, before: string | undefined): Promise<Trail> {
  const rows = await listTrailEntries(app.db, actor, { before, most: entriesPerPage + 1 });
  const entries = rows.slice(0, entriesPerPage).map((row) => ({
    id: row.id,
    at: row.at.epochMilliseconds,
    kind: row.kind as AccountEventKind,
    ip: row.ip,
    device: deviceOf(row.user_agent),
    details: row.details as TrailDetails,
  }));
  return { entries, next: rows.length > entriesPerPage ? (entries.at(-1)?.id ?? null) : null };
}
