import { listAddresses } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { billingContract } from './contract.ts';
import { isLiveKey } from './is-billing-on.ts';
import { invoicesPerPage } from './rules/admin-endpoints.ts';
import { viewInvoice } from './rules/view-invoice.ts';
import { listAllInvoices } from './store/invoices.ts';

/** For the operator: a page of everybody's invoices. *Errors*: AppError invalid (`INVALID_INPUT`). */
export async function pageInvoices(
  { db, config }: Pick<App, 'db' | 'config'>,
  cursor: string | undefined,
): Promise<Output<typeof billingContract.listAllInvoices>> {
  const [, createdMs, id] = /^(\d{1,15})\.(\w{1,255})$/.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && id === undefined)
    throw new AppError('invalid', 'INVALID_INPUT', 'This is no place in the list.', {
      fields: { before: 'Not a place' },
    });
  const before = id === undefined ? null : { createdMs: Number(createdMs), id };
  const found = await listAllInvoices(db, { live: isLiveKey(config), before, limit: invoicesPerPage + 1 });
  const shown = found.slice(0, invoicesPerPage);
  const emails = await listAddresses(
    db,
    shown.map(({ userId }) => userId),
  );
  const last = shown.at(-1);
  return {
    invoices: shown.map((invoice) => ({ ...viewInvoice(invoice), email: emails.get(invoice.userId) ?? '' })),
    next: found.length > shown.length && last !== undefined ? `${last.createdMs}.${last.id}` : null,
  };
}
