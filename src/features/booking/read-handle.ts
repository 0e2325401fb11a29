import { loadOwner } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { bookingContract } from './contract.ts';
import { handlesLike, isReserved, lookOf } from './rules/handle.ts';
import { findHandleOf, listResting, listTakenLooks } from './store/handles.ts';

type HandleView = Output<typeof bookingContract.readHandle>;

/** The caller's handle and what becomes of those before it; while there is none, one that they could take. */
export async function readHandle({ db, config }: Pick<App, 'db' | 'config'>, { userId }: Actor): Promise<HandleView> {
  const [handle, resting] = await Promise.all([findHandleOf(db, userId), listResting(db, userId)]);
  const base = `${config.publicUrl}/`;
  return {
    handle,
    base,
    url: handle === null ? null : `${base}${handle}`,
    suggestion: handle === null ? await suggestHandle(db, userId) : null,
    resting: resting.map(({ handle: name, freeMs }) => ({ handle: name, free_at: freeMs })),
  };
}

async function suggestHandle(db: App['db'], userId: Actor['userId']): Promise<string | null> {
  const { name } = await loadOwner(db, userId);
  const candidates = handlesLike(name, userId.slice(-4)).filter((one) => !isReserved(one));
  const looks = new Map(candidates.map((one) => [one, hashToken(lookOf(one))]));
  const taken = await listTakenLooks(db, [...looks.values()]);
  return candidates.find((one) => !taken.has(looks.get(one)?.toString('hex') ?? '')) ?? null;
}
