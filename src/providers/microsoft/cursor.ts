import * as z from 'zod/mini';
import type { Window } from './to-item.ts';

/** Where a pull left off: Graph's link, and the time range that it holds fast. Opaque to everybody else. */
export interface Cursor {
  link: string;
  window: Window;
  madeAtMs: number;
}

const stored = z.object({ v: z.literal(1), link: z.string(), from: z.number(), to: z.number(), madeAt: z.number() });

export function encodeCursor({ link, window, madeAtMs }: Cursor): string {
  return JSON.stringify({ v: 1, link, from: window.fromMs, to: window.toMs, madeAt: madeAtMs });
}

/** Null for anything this version cannot read: a new baseline is always right. */
export function decodeCursor(text: string): Cursor | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const read = stored.safeParse(json);
  if (!read.success) return null;
  const { link, from, to, madeAt } = read.data;
  return { link, window: { fromMs: from, toMs: to }, madeAtMs: madeAt };
}
