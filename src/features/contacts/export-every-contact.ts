import type { ContactId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, listPart } from '#platform/export-part.ts';
import { listEverything } from './store/contact-rows.ts';

/** Whom a person met, with what they wrote about and to them. Deleted ones too, as long as something of them is kept. */
export function exportEveryContact({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    listPart('contacts.json', (page: { after: ContactId | null; limit: number }) => listEverything(db, userId, page)),
  ];
}
