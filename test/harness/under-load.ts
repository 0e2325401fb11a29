import { solve } from '../../src/kernel/solve-challenge.ts';
import { takeAllowances } from '../../src/platform/limits.ts';
import type { Busy } from '../../src/platform/proof-of-work.ts';
import type { TestApp } from './test-app.ts';

/** As if others had sent as much as goes without work, or without script. */
export async function useUp({ app }: TestApp, busy: Busy, which: 'quiet' | 'plain'): Promise<void> {
  while ((await takeAllowances(app.db, busy[which], [busy.purpose])).size > 0);
}

/** The solution of the challenge that a page came with. */
export async function solvePage(html: string): Promise<string> {
  const attribute = /data-challenge="([^"]*)"/.exec(html)?.[1] ?? '';
  const solution = await solve(attribute.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
  if (solution === null) throw new Error('a challenge without a solution');
  return solution;
}
