import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { type MailRecipient, resumeRecipient, stopRecipient } from '#platform/recipients.ts';
import { showSaying } from './show-saying.ts';

/**
 * Stops all mails to an address that nobody has proved, or has them sent again. One click in a mail program stops them
 * (RFC 8058). The page only asks, as programs that look at mails open links too.
 */
export async function stopAllMails(app: App, call: PageCall, recipient: MailRecipient): Promise<PageAnswer> {
  const { id, mailbox: email } = recipient;
  const to = `/unsubscribe/${id}`;
  if (call.method === 'POST' && call.form.get('again') === 'yes') {
    await inTransaction(app.db, (tx) => resumeRecipient(tx, email));
    return showSaying(app, call, 'stop-all.resumed', { email });
  }
  if (call.method === 'POST') await stopRecipient(app.db, id);
  if (call.method === 'POST' || recipient.isStopped)
    return showSaying(app, call, 'stop-all.done', {
      email,
      action: { to, label: 'stop-all.again', fields: { again: 'yes' } },
    });
  return showSaying(app, call, 'stop-all.ask', { email, action: { to, label: 'stop.button' } });
}
