/** As a store has it. */
interface KeptInvoice {
  id: string;
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  total: number;
  currency: string;
  createdMs: number;
  nextAttemptMs: number | null;
  pageUrl: string | null;
  pdfUrl: string | null;
}

export function toShownInvoice({ createdMs, nextAttemptMs, total, ...invoice }: KeptInvoice) {
  return { ...invoice, amount: total, created: createdMs, nextAttempt: nextAttemptMs };
}
