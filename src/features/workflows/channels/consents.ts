import type { CountryCode } from 'libphonenumber-js/max';
import { AppError } from '#kernel/errors.ts';
import { trimEndOf } from '#kernel/text/trim-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Allowance, takeAllowance } from '#platform/limits.ts';
import { type Consent, findConsent, insertConsent } from './store/consents.ts';
import type { CredentialRow } from './store/credentials.ts';

/** A day's agreements of one person are fewer; more of them point to abuse. */
const kept: Allowance = { action: 'numbers that agreed', burst: 100, periodSeconds: 86_400 };

/**
 * Records that the owner of a number agreed, or objects. Only the owner can revoke a STOP. *Errors*: AppError invalid
 * (BAD_NUMBER), conflict (OPTED_OUT), limited.
 */
export async function keepNumber(
  app: App,
  actor: Actor,
  { phone: typed, given }: { phone: string; given: boolean },
): Promise<void> {
  const phone = await readPhone(typed);
  if (phone === null) {
    const message = 'Expected a standard-rate phone number with its country code, such as +4915112345678.';
    throw new AppError('invalid', 'BAD_NUMBER', message, { fields: { phone: message } });
  }
  await takeAllowance(app.db, kept, actor.userId);
  const last = await findConsent(app.db, actor.userId, phone);
  if (given && isStopped(last)) {
    throw new AppError(
      'conflict',
      'OPTED_OUT',
      'The owner of this number replied STOP. They can opt in again by sending START to the same number.',
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

/** Whether the owner of a number replied STOP: nobody else can agree for them. */
export const isStopped = (last: Consent | null): boolean =>
  last?.given === false && (last.source === 'message' || last.source === 'network');

/** Messages to these numbers cost extra, and no guest has one. */
const costly: readonly (string | undefined)[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER', 'VOICEMAIL'];

/**
 * A telephone number in E.164 (`+4915112345678`), as networks and consents name it; null for what is none, or costs extra.
 * `country`: where a number without its country code is dialled, as ISO 3166-1; absent: such a number is none.
 */
export async function readPhone(text: string, country?: string): Promise<string | null> {
  if (text.length > 40) return null;
  // two megabytes of number plans: read where there are numbers
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const home = country !== undefined && isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const number = parsePhoneNumberFromString(text, { extract: false, ...(home && { defaultCountry: home }) });
  if (number === undefined || !number.isValid() || number.ext !== undefined) return null;
  return costly.includes(number.getType()) ? null : number.number;
}

/** Source: CTIA Messaging Principles, opt-out; Twilio, "Support for STOP, START, and HELP keywords". */
const stopWords = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const startWords = ['START', 'YES', 'UNSTOP'];

/** Handles a reply by text message: it only says whether the person wants more messages. */
export async function takeAnswer(
  app: App,
  { userId }: Pick<CredentialRow, 'userId'>,
  { id, from, body }: { id: string; from: string; body: string },
): Promise<void> {
  const phone = await readPhone(from);
  const word = trimEndOf(body.trim(), '.!').toUpperCase();
  const given = startWords.includes(word);
  if (phone === null || (!given && !stopWords.includes(word))) return;
  await insertConsent(app.db, userId, {
    phone,
    given,
    source: 'message',
    sourceId: id.slice(0, 100),
    atMs: app.clock.nowMs(),
  });
  await app.feed.publish(app.db, userId, 'channels');
}
