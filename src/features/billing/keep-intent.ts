import { randomUUID } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type IntentKind, insertIntent, settleIntent } from './store/intents.ts';

/**
 * Carries out one thing at Stripe: written down before, and what came of it after. Its name is the key under which Stripe does
 * it once. What nobody knows the outcome of is looked up by `reconcile`.
 */
export async function keepIntent<T>(
  { db }: Pick<App, 'db'>,
  intent: { userId: UserId; kind: IntentKind; details: object },
  act: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  await insertIntent(db, { id, ...intent });
  try {
    const done = await act(id);
    await settleIntent(db, id, 'done');
    return done;
  } catch (error) {
    const code = (error as { statusCode?: number; code?: string }).statusCode;
    // without an answer nobody knows; with one, nothing was done
    if (code !== undefined && code < 500)
      await settleIntent(db, id, `refused: ${(error as { code?: string }).code ?? code}`);
    throw error;
  }
}
