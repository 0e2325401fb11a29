import * as z from 'zod/mini';
import type { Span } from '#kernel/time/intervals.ts';
import type { FreeBusy } from '../../port.ts';
import type { RestClient } from '../../rest/client.ts';
import { badAnswer } from '../../rest/network-failures.ts';
import { send } from '../requests.ts';

/** Calendars of one request. Source: Freebusy: query, `calendarExpansionMax`. */
const mostCalendars = 50;

const instant = z.iso.datetime({ offset: true });
const answerShape = z.object({
  calendars: z.record(
    z.string(),
    z.object({
      errors: z.optional(z.array(z.unknown())),
      busy: z.optional(z.array(z.object({ start: instant, end: instant }))),
    }),
  ),
});

/**
 * When the owners of these addresses are busy: the address of an account is the name of its primary calendar. A calendar with
 * errors tells nothing. *Source*: Google Calendar API v3, Freebusy: query.
 */
export async function queryFreeBusy(
  rest: RestClient,
  addresses: readonly string[],
  { startMs, endMs }: Span,
  signal: AbortSignal,
): Promise<FreeBusy> {
  const found: FreeBusy = new Map();
  for (let from = 0; from < addresses.length; from += mostCalendars) {
    const asked = addresses.slice(from, from + mostCalendars);
    const { json } = await send(rest, {
      operation: 'freebusy.query',
      method: 'POST',
      target: '/freeBusy',
      body: {
        timeMin: Temporal.Instant.fromEpochMilliseconds(startMs).toString(),
        timeMax: Temporal.Instant.fromEpochMilliseconds(endMs).toString(),
        items: asked.map((id) => ({ id })),
      },
      signal,
    });
    const read = answerShape.safeParse(json);
    if (!read.success) throw badAnswer("it isn't a free/busy response");
    for (const address of asked) {
      const { errors = [], busy } = read.data.calendars[address] ?? {};
      found.set(address, errors.length > 0 || busy === undefined ? null : busy.map(spanOf));
    }
  }
  return found;
}

const spanOf = ({ start, end }: { start: string; end: string }): Span => ({
  startMs: Temporal.Instant.from(start).epochMilliseconds,
  endMs: Temporal.Instant.from(end).epochMilliseconds,
});
