import type { Viewer } from '#features/calendar/public.ts';
import { readWanted } from '#features/search/rules.ts';
import type { Input } from '#kernel/contract.ts';
import { compareNames } from '#kernel/languages.ts';
import type { meetingsContract } from './contract.ts';
import type { RowFilter } from './store/find-rows.ts';

type Query = Input<typeof meetingsContract.exportMeetings>['query'];

/** The filter of the address, in the terms of the store. */
export function readRowFilter(query: Query, viewer: Viewer, nowMs: number): RowFilter {
  const { scope } = query;
  const sort = query.sort ?? (scope === 'mirrors' ? 'health' : 'date');
  const startOf = (day: string, plusDays: number) =>
    Temporal.PlainDate.from(day).add({ days: plusDays }).toZonedDateTime({ timeZone: viewer.ownerZone })
      .epochMilliseconds;
  return {
    calendarIds: calendarsOf(query, viewer, sort),
    typed: query.search?.trim() ?? '',
    words: readWanted(query.search ?? '')?.words ?? [],
    attendee: query.attendee?.trim().toLowerCase() ?? null,
    fromMs: query.from === undefined ? null : startOf(query.from, 0),
    toMs: query.to === undefined ? null : startOf(query.to, 1),
    state: (scope === 'mirrors' ? query.status : query.health) ?? null,
    sort,
    // past meetings: the latest first; upcoming ones: the next first
    descending: query.order === undefined ? scope === 'past' && sort === 'date' : query.order === 'desc',
    nowMs,
  };
}

/** By name, so that they sort rows as well; null where any will do. */
function calendarsOf(query: Query, { faces }: Viewer, sort: RowFilter['sort']): RowFilter['calendarIds'] {
  if (query.calendar === undefined && query.provider === undefined && sort !== 'origin') return null;
  return [...faces.values()]
    .filter(({ calendar }) => query.calendar === undefined || calendar.id === query.calendar)
    .filter(({ provider }) => query.provider === undefined || provider === query.provider)
    .map(({ calendar }) => calendar)
    .toSorted((one, other) => compareNames(one.name, other.name))
    .map(({ id }) => id);
}
