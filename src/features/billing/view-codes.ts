import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { type codeEndpoints, mostCodes } from './rules/code-endpoints.ts';
import { type Code, listCodes } from './store/codes.ts';

type Viewed = Output<typeof codeEndpoints.listCodes>['codes'][number];

/** Those that can be used, and the newest of the others. */
export async function viewCodes({
  db,
  clock,
}: Pick<App, 'db' | 'clock'>): Promise<Output<typeof codeEndpoints.listCodes>> {
  const nowMs = clock.nowMs();
  const codes = await listCodes(db, mostCodes);
  return { codes: codes.map((code) => view(code, nowMs)) };
}

const view = (code: Code, nowMs: number): Viewed => ({
  id: code.id,
  code: code.code,
  percent: code.percent,
  amount: code.amount,
  currency: code.currency,
  months: code.months,
  extra_days: code.extraDays,
  max_uses: code.maxUses,
  uses: code.uses,
  expires_at: code.expiresMs,
  state: stateOf(code, nowMs),
});

function stateOf({ ended, expiresMs, maxUses, uses }: Code, nowMs: number): Viewed['state'] {
  if (ended) return 'ended';
  if (expiresMs !== null && nowMs >= expiresMs) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used-up' : 'active';
}
