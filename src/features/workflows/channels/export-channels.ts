import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listConsentHistory } from './store/consents.ts';
import { type CredentialRow, listCredentialRows } from './store/credentials.ts';

/** What is named here is told; a column that is added is not, until somebody names it. */
const told = ['id', 'kind', 'label', 'settings', 'simulated', 'refused', 'createdMs'] satisfies (keyof CredentialRow)[];

/** Accounts that workflows send through, without any access to them, and who agreed to text messages. */
export function exportChannels({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('workflow-accounts.json', async () =>
      (await listCredentialRows(db, userId)).map((row) => Object.fromEntries(told.map((key) => [key, row[key]]))),
    ),
    jsonPart('text-message-consents.json', () => listConsentHistory(db, userId)),
  ];
}
