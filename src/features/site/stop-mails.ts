import { listHosts } from '#features/accounts/public.ts';
import { type Reader, stopReader } from '#features/workflows/public.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { showSaying } from './show-saying.ts';

/**
 * Stops the mails of a host's workflows to the reader of one. The page only asks, as programs that look at mails open links
 * too; a mail program's one click sends the same form (RFC 8058).
 */
export async function stopMails(app: App, call: PageCall, reader: Reader): Promise<PageAnswer> {
  const { id, hostId, address: email } = reader;
  if (call.method === 'POST') await stopReader(app.db, id);
  if (call.method === 'POST' || reader.isStopped) return showSaying(app, call, 'stop.done', { email });
  const host = (await listHosts(app.db, [hostId])).get(hostId)?.name ?? '';
  const action = { to: `/unsubscribe/${id}`, label: 'stop.button' } as const;
  return showSaying(app, call, 'stop.ask', { email, host, action });
}
