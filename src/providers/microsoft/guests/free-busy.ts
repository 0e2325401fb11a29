import * as z from 'zod/mini';
import type { Span } from '#kernel/time/intervals.ts';
import type { FreeBusy } from '../../port.ts';
import type { RestClient } from '../../rest/client.ts';
import { badAnswer } from '../../rest/network-failures.ts';
import { askGraph } from '../graph.ts';

/** People of one request. Source: "Get free/busy schedule", limits and error conditions. */
const mostSchedules = 20;

const time = z.object({ dateTime: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/)) });
const answerShape = z.object({
  value: z.array(
    z.object({
      scheduleId: z.string(),
      error: z.optional(z.nullable(z.unknown())),
      scheduleItems: z.optional(z.nullable(z.array(z.object({ status: z.string(), start: time, end: time })))),
    }),
  ),
});

/** Time that stays open to others. */
const open = new Set(['free', 'workingelsewhere']);

/**
 * When these people of the organization are busy. A person with an error, or without items, is told nothing of. A personal
 * account may not ask at all: `rejected`. *Source*: Microsoft Graph, "calendar: getSchedule".
 */
export async function getSchedule(
  rest: RestClient,
  addresses: readonly string[],
  range: Span,
  signal: AbortSignal,
): Promise<FreeBusy> {
  const found: FreeBusy = new Map(addresses.map((address) => [address, null]));
  const named = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  for (let from = 0; from < addresses.length; from += mostSchedules) {
    const { json } = await askGraph(rest, {
      operation: 'schedule',
      method: 'POST',
      target: '/me/calendar/getSchedule',
      body: {
        schedules: addresses.slice(from, from + mostSchedules),
        startTime: edge(range.startMs),
        endTime: edge(range.endMs),
        availabilityViewInterval: 60,
      },
      signal,
    });
    const read = answerShape.safeParse(json);
    if (!read.success) throw badAnswer("it isn't a list of schedules");
    for (const { scheduleId, error, scheduleItems } of read.data.value) {
      const address = named.get(scheduleId.toLowerCase());
      if (address === undefined || error != null || scheduleItems == null) continue;
      const busy = scheduleItems.filter(({ status }) => !open.has(status.toLowerCase()));
      found.set(
        address,
        busy.map(({ start, end }) => ({ startMs: msOf(start.dateTime), endMs: msOf(end.dateTime) })),
      );
    }
  }
  return found;
}

const edge = (ms: number) => ({
  dateTime: Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' }).slice(0, -1),
  timeZone: 'UTC',
});

/** The client prefers UTC in all its requests. */
const msOf = (dateTime: string) => Temporal.Instant.from(`${dateTime.slice(0, 19)}Z`).epochMilliseconds;
