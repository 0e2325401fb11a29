import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { forgetEntries } from '#platform/feed.ts';
import { forgetMails } from '#platform/mail-outbox.ts';
import { accountDeleted } from './mail.ts';
import { hasFarewell } from './store/farewells.ts';
import { listRemains } from './store/remains.ts';
import { deleteUser, findLeaver } from './store/users.ts';

/**
 * The last step of leaving, once nothing of the person is kept elsewhere: everything that is theirs goes with one row, and
 * a last mail says so, and what could not be removed. Does nothing for somebody who stays or is gone. False while somebody
 * else has still to be told.
 */
export function finishLeaving(app: Pick<App, 'config' | 'db' | 'mail'>, userId: UserId): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const leaver = await findLeaver(tx, userId);
    if (leaver === undefined) return true;
    if (await hasFarewell(tx, userId)) return false;
    const remains = await listRemains(tx, userId);
    await forgetMails(tx, userId);
    await forgetEntries(tx, userId);
    await deleteUser(tx, userId);
    await app.mail.send(tx, accountDeleted(leaver, remains));
    return true;
  });
}
