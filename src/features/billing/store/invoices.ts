import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export interface Invoice {
  id: string;
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  total: number;
  currency: string;
  createdMs: number;
  paidMs: number | null;
  nextAttemptMs: number | null;
  pageUrl: string | null;
  pdfUrl: string | null;
}

const invoiceColumns = sql`i.id, i.number, i.status, i.total, i.currency, i.created_ms as "createdMs", i.paid_ms as "paidMs",
  i.next_attempt_ms as "nextAttemptMs", i.page_url as "pageUrl", i.pdf_url as "pdfUrl"`;

/** The newest first. Drafts are nobody's business yet. */
export async function listInvoices(db: Database, customerId: string, limit: number): Promise<Invoice[]> {
  const { rows } = await sql<Invoice>`
    select ${invoiceColumns} from billing.invoices i
    where i.customer_id = ${customerId} and i.status <> 'draft'
    order by i.created_ms desc, i.id desc limit ${limit}`.execute(db);
  return rows;
}

/** A page of everybody's invoices, without drafts. */
export async function listAllInvoices(
  db: Database,
  { live, before, limit }: { live: boolean; before: { createdMs: number; id: string } | null; limit: number },
): Promise<(Invoice & { userId: UserId })[]> {
  const { rows } = await sql<Invoice & { userId: UserId }>`
    select ${invoiceColumns}, c.user_id as "userId"
    from billing.invoices i join billing.customers c on c.id = i.customer_id
    where c.live = ${live} and i.status <> 'draft'
      and (i.created_ms, i.id) < (${before?.createdMs ?? Number.MAX_SAFE_INTEGER}, ${before?.id ?? ''})
    order by i.created_ms desc, i.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The sum of payments since a time, in the smallest unit of each currency. */
export async function sumPaid(
  db: Database,
  live: boolean,
  sinceMs: number,
): Promise<{ currency: string; amount: number }[]> {
  const { rows } = await sql<{ currency: string; amount: number }>`
    select i.currency, sum(i.total)::float8 as amount from billing.invoices i join billing.customers c on c.id = i.customer_id
    where c.live = ${live} and i.status = 'paid' and coalesce(i.paid_ms, i.created_ms) >= ${sinceMs}
    group by i.currency order by i.currency`.execute(db);
  return rows;
}
