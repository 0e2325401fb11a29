import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { mintToken } from '#platform/crypto.ts';
import { takeAllowance } from '#platform/limits.ts';
import { drawAnew } from '#platform/picture.ts';
import { pictureAnswer } from '#platform/picture-answer.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { actInTeam, requirePermission } from './members.ts';
import { deleteLogo, findLogo, saveLogo } from './store/logos.ts';
import { insertDeed } from './store/trail.ts';

/** As large as it is ever shown, on a screen with two pixels for one. */
const sidePixels = 256;
const changes = { action: 'changing the picture of a team', burst: 20, periodSeconds: 3_600 };

/**
 * Another picture, or none. *Errors*: as `requirePermission`; AppError invalid (PICTURE_TYPE, PICTURE_SIZE,
 * PICTURE_BROKEN), limited.
 */
export async function changeLogo(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  picture: Uint8Array | null,
): Promise<void> {
  await requirePermission(app.db, actor, teamId, 'change-team'); // before anything is drawn
  if (picture !== null) await takeAllowance(app.db, changes, actor.userId);
  const bytes =
    picture === null ? null : await drawAnew(picture, { shape: 'badge', width: sidePixels, height: sidePixels });
  await actInTeam(app, actor, teamId, 'change-team', async (tx) => {
    if (bytes === null) await deleteLogo(tx, teamId);
    else await saveLogo(tx, { teamId, file: `${mintToken()}.png`, bytes });
    await insertDeed(tx, { teamId, kind: 'logo-changed', actorId: actor.userId });
  });
}

/** The picture of a team, for everybody with its address. *Errors*: AppError not-found. */
export function serveLogo({ db }: App, { params }: RawCall): Promise<RawAnswer> {
  return pictureAnswer(params.file, (file) => findLogo(db, file));
}
