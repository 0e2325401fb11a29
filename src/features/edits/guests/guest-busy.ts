import {
  type Connection,
  canBeAsked,
  findCalendar,
  listConnections,
  openAccount,
} from '#features/connections/public.ts';
import { findLimiter } from '#features/sync/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError, ProviderError } from '#kernel/errors.ts';
import { intersectSpans, normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { FreeBusy } from '#providers/port.ts';
import type { guestBusyContract } from './contract.ts';

type Asked = Input<typeof guestBusyContract.guestBusy>['body'];
type Answer = Output<typeof guestBusyContract.guestBusy>;

/** Graph takes 42 days. */
const longestMs = 40 * 86_400_000;
const questionsOfPerson = { action: 'questions for busy times of guests', burst: 60, periodSeconds: 3_600 } as const;
/** A form waits for this in the background; a slow provider then tells nothing. */
const patienceMs = 8_000;
/** Accounts that are asked for one form. */
const mostAccounts = 5;
/** A guest with more is busy throughout. */
const mostSpans = 300;

/**
 * When guests are busy, as the providers of the caller tell. The account of the event hears of all guests, as it will invite
 * them. Another account hears only of guests at the domain of its own address: nobody else learns whom a person meets.
 *
 * *Errors*: AppError invalid BAD_TIME; limited. A provider that refuses or fails tells nothing.
 */
export async function askGuestBusy(app: App, { userId }: Actor, body: Asked): Promise<Answer> {
  const range = { startMs: body.from, endMs: body.to };
  if (range.endMs <= range.startMs || range.endMs - range.startMs > longestMs)
    throw new AppError('invalid', 'BAD_TIME', 'The end must be after the start, by at most 40 days.');
  await takeAllowance(app.db, questionsOfPerson, userId);
  const [calendar, connections] = await Promise.all([
    findCalendar(app.db, body.calendar_id as Parameters<typeof findCalendar>[1]),
    listConnections(app.db, userId),
  ]);
  const signal = AbortSignal.timeout(patienceMs);
  const found: FreeBusy = new Map();
  let accounts = 0;
  for (const connection of connections.toSorted((a, b) => rank(b) - rank(a))) {
    const asked = body.guests.filter((guest) => found.get(guest) == null && hearsOf(connection, guest));
    if (asked.length === 0 || !canBeAsked(connection) || accounts === mostAccounts || signal.aborted) continue;
    accounts += 1;
    for (const [guest, busy] of await askAccount(app, connection, { asked, range, signal })) found.set(guest, busy);
  }
  return { guests: body.guests.map((address) => ({ address, busy: bounded(found.get(address) ?? null, range) })) };

  function rank({ id }: Connection): number {
    return id === calendar?.connectionId ? 1 : 0;
  }
  function hearsOf(connection: Connection, guest: string): boolean {
    return rank(connection) === 1 || connection.addresses.some((own) => domainOf(own) === domainOf(guest));
  }
}

async function askAccount(
  app: App,
  connection: Connection,
  { asked, range, signal }: { asked: string[]; range: Span; signal: AbortSignal },
): Promise<FreeBusy> {
  try {
    const provider = await openAccount(app, connection);
    const { freeBusy } = provider;
    if (freeBusy === undefined) return new Map();
    return await findLimiter(connection).run(() => freeBusy.call(provider, asked, range, signal), signal);
  } catch (error) {
    if (!(error instanceof ProviderError) && !signal.aborted) throw error;
    app.log.info({ connectionId: connection.id, err: error }, 'busy times of guests were not told');
    return new Map();
  }
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

function bounded(busy: readonly Span[] | null, range: Span) {
  if (busy === null) return null;
  const spans = intersectSpans(normalizeSpans(busy), [range]);
  return (spans.length > mostSpans ? [range] : spans).map(({ startMs, endMs }) => ({ start: startMs, end: endMs }));
}
