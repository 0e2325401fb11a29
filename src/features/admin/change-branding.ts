import { recordAct } from '#features/accounts/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import { ownName } from '#kernel/product-name.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { saveBrand } from '#platform/brand.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { readBranding } from './read-branding.ts';
import type { brandingEndpoints } from './rules/branding-endpoints.ts';

type Change = typeof brandingEndpoints.changeBranding;

/** *Errors*: AppError invalid (NO_PICTURE) for a logo that was not made, or too long ago. */
export async function changeBranding(
  app: Pick<App, 'db' | 'brand'>,
  actor: Actor,
  { reason, ...given }: Input<Change>['body'],
  request: RequestFacts,
): Promise<Output<Change>> {
  const name = given.name?.replace(/\s+/g, ' ').trim() ?? null;
  const chosen = { ...given, name: name === ownName ? null : name };
  await inTransaction(app.db, async (tx) => {
    if (!(await saveBrand(tx, chosen))) {
      throw new AppError('invalid', 'NO_PICTURE', 'This logo is gone. Nothing was changed; upload it again.');
    }
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'branding_change',
      subject: { kind: 'setting', id: 'branding' },
      reason,
      request,
      details: {
        name: chosen.name ?? ownName,
        color: chosen.color ?? 'default',
        logo: chosen.logo !== null,
        darkLogo: chosen.darkLogo !== null,
      },
    });
  });
  await app.brand.look();
  return readBranding(app);
}
