import type { Output } from '#kernel/contract.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { loadType } from './load-type.ts';
import { toTypeView } from './rules/type-view.ts';
import { findHandleOfType } from './store/handles.ts';

type OneType = Output<typeof bookingContract.readEventType>;

/** One of theirs, as it is now. *Errors*: as `loadType`. */
export async function showType({ db, config }: App, actor: Actor, id: EventTypeId): Promise<OneType> {
  const [type, handle] = await Promise.all([loadType(db, actor, id), findHandleOfType(db, id)]);
  return { event_type: toTypeView(type, handle === null ? null : `${config.publicUrl}/${handle}`) };
}
