import { solve } from '../../src/kernel/solve-challenge.ts';
import { restoreAllowance, takeAllowances } from '../../src/platform/limits.ts';
import type { Busy } from '../../src/platform/proof-of-work.ts';
import type { TestApp } from './test-app.ts';

/** As if others had sent as much as goes without work, or without script. Nothing is free again within the period. */
export async function useUp({ app: { db } }: TestApp, busy: Busy, which: 'quiet' | 'plain'): Promise<void> {
  const { action, periodSeconds } = busy[which];
  await restoreAllowance(db, busy[which], busy.purpose);
  await takeAllowances(db, { action, burst: 1, periodSeconds: 2 * periodSeconds }, [busy.purpose]);
}

/** The solution of the challenge that a page came with. */
export async function solvePage(html: string): Promise<string> {
  const attribute = /data-challenge="([^"]*)"/.exec(html)?.[1] ?? '';
  const solution = await solve(attribute.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
  if (solution === null) throw new Error('a challenge without a solution');
  return solution;
}
