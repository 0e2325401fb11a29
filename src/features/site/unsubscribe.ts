import { findReader } from '#features/workflows/public.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { findRecipient } from '#platform/recipients.ts';
import { showSaying } from './show-saying.ts';
import { stopAllMails } from './stop-all-mails.ts';
import { stopMails } from './stop-mails.ts';
import { deleteSubscriber, findSubscribed } from './store/subscribers.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** News by the link that the list has for each address, mails of a host's workflows and mails to an unproved
 * address by the link of such a mail. Asked twice, it is done all the same. */
export async function unsubscribe(app: App, call: PageCall): Promise<PageAnswer> {
  const id = call.params.token ?? '';
  if (!uuid.test(id)) return showSaying(app, call, 'subscribe.gone', { status: 404 });
  const reader = await findReader(app.db, id);
  if (reader !== null) return stopMails(app, call, reader);
  const recipient = await findRecipient(app.db, id);
  if (recipient !== null) return stopAllMails(app, call, recipient);
  if (call.method === 'POST') {
    await deleteSubscriber(app.db, id);
    return showSaying(app, call, 'unsubscribe.done');
  }
  const email = await findSubscribed(app.db, id);
  if (email === null) return showSaying(app, call, 'subscribe.gone', { status: 404 });
  const action = { to: `/unsubscribe/${id}`, label: 'unsubscribe.button' } as const;
  return showSaying(app, call, 'unsubscribe.ask', { email, action });
}
