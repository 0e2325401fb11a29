import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { openAccount } from './open-account.ts';
import { canBeAsked } from './rules/can-be-asked.ts';
import { saveCalendars } from './save-calendars.ts';
import { findConnectionById, updateStatus } from './store/connections.ts';

/** Asks an account for its calendars again: new ones are followed, vanished ones are marked. Errors: ProviderError. */
export async function refreshCalendars(
  app: App,
  connectionId: ConnectionId,
  signal: AbortSignal,
  say: 'always' | 'if-changed' = 'if-changed',
): Promise<void> {
  const connection = await findConnectionById(app.db, connectionId);
  // one that waits for its person is left alone: each refusal more could lock it
  if (connection === null || !canBeAsked(connection)) return;
  const provider = await openAccount(app, connection);
  const calendars = await provider.listCalendars(signal);
  // an account that suddenly lists nothing has a problem of its own; its calendars are not gone
  if (calendars.length === 0) return;
  await inTransaction(app.db, async (tx) => {
    await saveCalendars(app, tx, connection, calendars, say);
    if (connection.status === 'error') await updateStatus(tx, connection.id, 'active', null);
  });
}
