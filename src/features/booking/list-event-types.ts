import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { toTypeView } from './rules/type-view.ts';
import { listTypes } from './store/event-type-rows.ts';
import { findHandleOf } from './store/handles.ts';

type Listed = Output<typeof bookingContract.listEventTypes>['event_types'];

/** In their person's order; two queries. */
export async function listEventTypes({ db, config }: Pick<App, 'db' | 'config'>, userId: UserId): Promise<Listed> {
  const [handle, found] = await Promise.all([findHandleOf(db, userId), listTypes(db, userId)]);
  return found.map((type) => toTypeView(type, handle === null ? null : `${config.publicUrl}/${handle}`));
}
