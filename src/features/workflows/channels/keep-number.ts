import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Allowance, takeAllowance } from '#platform/limits.ts';
import { readPhone } from './read-phone.ts';
import { findConsent, insertConsent } from './store/consents.ts';

/** Nobody knows so many people who agreed in a day; whoever asks for more means something else. */
const kept: Allowance = { action: 'numbers that agreed', burst: 100, periodSeconds: 86_400 };

/**
 * Notes that the owner of a number agreed, or wants nothing any more. Whoever wrote STOP takes it back themselves.
 * *Errors*: AppError invalid (BAD_NUMBER), conflict (OPTED_OUT), limited.
 */
export async function keepNumber(
  app: App,
  actor: Actor,
  { phone: typed, given }: { phone: string; given: boolean },
): Promise<void> {
  const phone = await readPhone(typed);
  if (phone === null) {
    const message = 'Expected a number with its country code, such as +4915112345678, that does not cost extra.';
    throw new AppError('invalid', 'BAD_NUMBER', message, { fields: { phone: message } });
  }
  await takeAllowance(app.db, kept, actor.userId);
  const last = await findConsent(app.db, actor.userId, phone);
  if (given && last?.given === false && (last.source === 'message' || last.source === 'network')) {
    throw new AppError(
      'conflict',
      'OPTED_OUT',
      'Whoever has this number wrote STOP. Only they can take that back, by writing START to the number it came from.',
    );
  }
  await insertConsent(app.db, actor.userId, {
    phone,
    given,
    source: 'stated',
    sourceId: null,
    atMs: app.clock.nowMs(),
  });
  await app.feed.publish(app.db, actor.userId, 'channels');
}
