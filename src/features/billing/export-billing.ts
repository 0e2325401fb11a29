import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { readOwnBilling } from './store/exports.ts';

/** Trial, subscriptions and invoices of a person. Cards are Stripe's alone. */
export function exportBilling({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('billing.json', () => readOwnBilling(db, userId))];
}
