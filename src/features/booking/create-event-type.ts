import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkSettings } from './check-settings.ts';
import type { bookingContract } from './contract.ts';
import { typesTopic } from './events.ts';
import { keepType } from './keep-type.ts';
import { defaultSettings } from './rules/type-settings.ts';

type NewType = Input<typeof bookingContract.createEventType>['body'];

/**
 * *Errors*: AppError invalid (`NEEDS_TEAM`, `INVALID`), conflict (`SLUG_TAKEN`, `TOO_MANY`).
 */
export async function createEventType(app: App, actor: Actor, body: NewType): Promise<EventTypeId> {
  if (body.kind === 'collective' || body.kind === 'round-robin')
    throw new AppError('invalid', 'NEEDS_TEAM', 'Several hosts need a team. Choose One-on-One or Group.');
  const given = Object.entries(body.settings ?? {}).filter(([, value]) => value !== undefined);
  const settings = { ...defaultSettings(body.kind), ...Object.fromEntries(given) };
  await checkSettings(app, actor, body.kind, settings);
  return inTransaction(app.db, async (tx) => {
    const { title, kind, slug, description = '', hidden = false, secret = false } = body;
    const id = await keepType(tx, { userId: actor.userId, title, kind, slug, description, hidden, secret, settings });
    await app.feed.publish(tx, actor.userId, typesTopic);
    return id;
  });
}
