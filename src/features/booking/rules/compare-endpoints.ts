import * as z from 'zod/mini';
import { queryInt, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

/** Minutes since the epoch. */
const minute = z.int().check(z.gte(0), z.lte(68_899_680)); // 2100-12-31
export const mostCalendarChars = 1_000_000;

const asked = {
  from: minute,
  days: z.int().check(z.gte(1), z.lte(62)),
  zone, // of whole days, and of times that name no zone
};

const mostOffsetMinutes = 6 * 366 * 1_440;

export const compareEndpoints = {
  listOffsets: endpoint({
    method: 'GET',
    path: '/api/book/offsets',
    auth: 'public',
    summary: 'How far the wall clock of a time zone is ahead of UTC, from one minute to another, at most six years',
    query: z.strictObject({ zone, from: queryInt(0, 68_899_680), to: queryInt(0, 68_899_680) }).check(
      z.refine(({ from, to }) => from <= to && to - from <= mostOffsetMinutes, {
        error: 'Ask for at most six years at once.',
        path: ['to'],
      }),
    ),
    output: z.strictObject({
      zone: z.string(),
      from: minute,
      to: minute,
      changes: z.array(z.strictObject({ from: minute, ahead: z.number() })), // in minutes
    }),
    requestsPerMinute: 60,
  }),
  compareCalendar: endpoint({
    method: 'POST',
    path: '/api/book/overlay',
    auth: 'public',
    summary: 'When a calendar of the visitor is busy: a file, an address, or their own here; nothing of it is kept',
    body: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('file'), ...asked, text: z.string().check(z.maxLength(mostCalendarChars)) }),
      z.strictObject({ kind: z.literal('address'), ...asked, url: z.string().check(z.maxLength(2_000)) }),
      z.strictObject({ kind: z.literal('own'), ...asked }),
    ]),
    output: z.strictObject({
      /** In order and apart. */
      busy: z.array(z.strictObject({ from: minute, to: minute })),
    }),
    errors: ['NOT_A_CALENDAR', 'CALENDAR_UNREACHABLE'],
    bodyLimit: 4 * mostCalendarChars,
  }),
};
