import * as z from 'zod/mini';
import { epochMinutes, fileBytes, line, queryInt, queryMinutes, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

const mostDays = 62;
export const mostCalendarBytes = 1_000_000;

const allowance = { action: 'comparing a calendar', burst: 12, periodSeconds: 600 };
const output = z.strictObject({
  /** In order and apart. */
  busy: z.array(z.strictObject({ from: epochMinutes, to: epochMinutes })),
});

const asked = {
  from: epochMinutes,
  days: z.int().check(z.gte(1), z.lte(mostDays)),
  zone, // zone of whole days, and of times that name no zone
};

const mostOffsetMinutes = 6 * 366 * 1_440;

export const compareEndpoints = {
  listOffsets: endpoint({
    method: 'GET',
    path: '/api/book/offsets',
    auth: 'public',
    summary: 'UTC offsets of a time zone for a period of at most six years',
    query: z.strictObject({ zone, from: queryMinutes, to: queryMinutes }).check(
      z.refine(({ from, to }) => from <= to && to - from <= mostOffsetMinutes, {
        error: 'Choose a range of up to six years.',
        path: ['to'],
      }),
    ),
    output: z.strictObject({
      zone: z.string(),
      from: epochMinutes,
      to: epochMinutes,
      changes: z.array(z.strictObject({ from: epochMinutes, ahead: z.number() })), // in minutes
    }),
    requestsPerMinute: 60,
  }),
  compareCalendar: endpoint({
    method: 'POST',
    path: '/api/book/overlay',
    auth: 'public',
    summary: 'Busy times of the visitor’s calendar, by its address or their account here. Nothing is stored',
    body: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('address'), ...asked, url: line(2_000) }),
      z.strictObject({ kind: z.literal('own'), ...asked }),
    ]),
    output,
    errors: ['NOT_A_CALENDAR', 'CALENDAR_UNREACHABLE', 'CALENDAR_TOO_LARGE'],
    allowance,
    bodyLimit: 16 * 1024,
  }),
  compareFile: endpoint({
    method: 'POST',
    path: '/api/book/overlay/file',
    auth: 'public',
    summary: 'Busy times of a visitor’s calendar file. Nothing is stored',
    query: z.strictObject({ from: queryMinutes, days: queryInt(1, mostDays), zone }),
    body: fileBytes,
    output,
    errors: ['NOT_A_CALENDAR', 'CALENDAR_TOO_LARGE'],
    allowance,
    takesFile: ['text/calendar', 'application/octet-stream'],
    bodyLimit: mostCalendarBytes,
  }),
};
