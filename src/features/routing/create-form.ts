import { randomUUIDv7 } from 'node:crypto';
import { longestSlug, nameForAddress } from '#features/booking/rules/handle.ts';
import type { Input } from '#kernel/contract.ts';
import type { FormId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkDefinition } from './check-definition.ts';
import type { routingContract } from './contract.ts';
import { demandOwn, lockOwn } from './demand-own.ts';
import { demandRoom, slugTaken } from './demand-room.ts';
import { formOwnerOf } from './rules/form-owner.ts';
import { insertForm, lockForms } from './store/form-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** *Errors*: AppError invalid (`INVALID`), conflict (`SLUG_TAKEN`, `TOO_MANY`); as `requirePermission`. */
export async function createForm(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  actor: Actor,
  body: Input<typeof routingContract.createForm>['body'],
): Promise<FormId> {
  const { team_id: teamId = null, definition, active = true, description = '' } = body;
  const owner = formOwnerOf(actor.userId, teamId);
  await demandOwn(app.db, actor, owner, 'manage-routing');
  await checkDefinition(app.db, owner, definition);
  const name = body.name.trim();
  const id = randomUUIDv7() as FormId;
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockForms(tx, owner);
    const taken = await demandRoom(tx, owner);
    if (body.slug !== undefined && taken.has(body.slug)) throw slugTaken();
    const slug = body.slug ?? freeSlug(name, taken);
    await insertForm(tx, { id, ...owner, name, description, slug, active, definition }, app.clock.nowMs());
    await tellOwner(app, tx, owner);
  });
  return id;
}

function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const base = nameForAddress(name, longestSlug - 4) || 'form';
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}
