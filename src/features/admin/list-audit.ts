import type { Input, Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import type { adminContract } from './contract.ts';
import { findEntries } from './find-entries.ts';
import { entriesPerPage } from './rules/audit-endpoints.ts';
import { viewEntries } from './view-entries.ts';

type List = typeof adminContract.listAudit;

/** A page of the log. */
export async function listAudit(
  { db }: Pick<App, 'db'>,
  { before, ...filters }: Input<List>['query'],
): Promise<Output<List>> {
  const read = await findEntries(db, filters);
  const found = await read(before ?? null, entriesPerPage + 1);
  const shown = found.slice(0, entriesPerPage);
  return {
    entries: await viewEntries(db, shown),
    next: found.length > entriesPerPage ? (shown.at(-1)?.position ?? null) : null,
  };
}
