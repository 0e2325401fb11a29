import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { bookingContract } from './contract.ts';
import { handlesLike, isReserved, lookOf } from './rules/handle.ts';
import { findHandleOf, listResting, listTakenLooks, type OwnerId } from './store/handles.ts';

type HandleView = Output<typeof bookingContract.readHandle>;

/** The handle of a person or a team and what becomes of those before it; while there is none, one that they could take. */
export async function readHandle(
  { db, config }: Pick<App, 'db' | 'config'>,
  owner: { id: OwnerId; loadName: () => Promise<string> },
): Promise<HandleView> {
  const [handle, resting] = await Promise.all([findHandleOf(db, owner.id), listResting(db, owner.id)]);
  const base = `${config.publicUrl}/`;
  return {
    handle,
    base,
    url: handle === null ? null : `${base}${handle}`,
    suggestion: handle === null ? await suggestHandle(db, await owner.loadName(), owner.id) : null,
    resting: resting.map(({ handle: name, freeMs }) => ({ handle: name, free_at: freeMs })),
  };
}

async function suggestHandle(db: App['db'], name: string, id: OwnerId): Promise<string | null> {
  const candidates = handlesLike(name, id.slice(-4)).filter((one) => !isReserved(one));
  const looks = new Map(candidates.map((one) => [one, hashToken(lookOf(one))]));
  const taken = await listTakenLooks(db, [...looks.values()]);
  return candidates.find((one) => !taken.has(looks.get(one)?.toString('hex') ?? '')) ?? null;
}
