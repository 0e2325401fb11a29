import { loadOwnerZone } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { HoldId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { noHold } from './change-hold.ts';
import type { holdsContract } from './contract.ts';
import { showHold } from './show-hold.ts';
import { findHold, listEntries } from './store/holds.ts';

type Answer = Output<typeof holdsContract.readHold>;

const mostEntries = 50;

/** A hold and what happened to it. *Errors*: AppError not-found. */
export async function readHold(app: App, { userId }: Actor, id: HoldId): Promise<Answer> {
  const found = await findHold(app.db, userId, id);
  if (found === null) throw noHold();
  const entries = await listEntries(app.db, id, mostEntries);
  const place = (at: { startMs: number; endMs: number } | null | undefined) =>
    at ? { start: at.startMs, end: at.endMs } : null;
  return {
    hold: showHold(found, await loadOwnerZone(app.db, userId), app.clock.nowMs()),
    history: entries.map(({ atMs, kind, details }) => ({
      kind: kind as Answer['history'][number]['kind'],
      at: atMs,
      from: place(details.from),
      to: place(details.to),
      for: details.for ?? null,
    })),
  };
}
