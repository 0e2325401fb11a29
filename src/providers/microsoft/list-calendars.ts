import * as z from 'zod/mini';
import type { RemoteCalendar } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { pagesOf } from './graph.ts';

const calendar = z.object({
  id: z.string().check(z.minLength(1)),
  name: z.nullish(z.string()),
  hexColor: z.nullish(z.string()),
  color: z.nullish(z.string()),
  isDefaultCalendar: z.nullish(z.boolean()),
  canEdit: z.nullish(z.boolean()),
  allowedOnlineMeetingProviders: z.nullish(z.array(z.string())),
});

const fields = 'id,name,color,hexColor,isDefaultCalendar,canEdit,allowedOnlineMeetingProviders';

/**
 * The calendars of the mailbox, those of others that were added to it among them. Their ids have one form only. Graph
 * tells no zone of a calendar, and needs none: its events have no floating times.
 *
 * Source: List calendars; calendar resource type.
 */
export async function listCalendars(rest: RestClient, signal: AbortSignal): Promise<RemoteCalendar[]> {
  const found: RemoteCalendar[] = [];
  const options = { $top: '100', $select: fields };
  for await (const page of pagesOf(rest, {
    operation: 'calendars',
    method: 'GET',
    target: '/me/calendars',
    options,
    signal,
  })) {
    for (const row of page.value) {
      const read = calendar.safeParse(row);
      if (!read.success) throw badAnswer("it doesn't name a calendar");
      const { id, name, isDefaultCalendar, canEdit, allowedOnlineMeetingProviders: meetings } = read.data;
      const color = colorOf(read.data);
      found.push({
        ref: id,
        name: (name ?? '').trim() || 'Calendar',
        ...(color === undefined ? {} : { color }),
        writable: canEdit === true,
        primary: isDefaultCalendar === true,
        ...(meetings == null ? {} : { conferences: meetings.includes('teamsForBusiness') ? ['teams'] : [] }),
      });
    }
  }
  return found;
}

/** Outlook's colors by name; `hexColor` is empty where the person chose none. */
const named: Readonly<Record<string, string>> = {
  lightBlue: '#a6d1f5',
  lightGreen: '#87d28e',
  lightOrange: '#fcab73',
  lightGray: '#c0c0c0',
  lightYellow: '#fcd73f',
  lightTeal: '#7fd8d4',
  lightPink: '#e69ad0',
  lightBrown: '#c4a38c',
  lightRed: '#ff7d7d',
};

function colorOf({ hexColor, color }: z.infer<typeof calendar>): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(hexColor ?? '')) return (hexColor ?? '').toLowerCase();
  return Object.hasOwn(named, color ?? '') ? named[color ?? ''] : undefined;
}
