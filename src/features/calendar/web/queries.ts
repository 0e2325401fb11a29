import {
  keepPreviousData,
  queryOptions,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { calendarContract } from '../contract.ts';
import type { MirrorLink } from './grid-event.ts';

const api = createClient(calendarContract);

type CalendarList = Output<typeof calendarContract.listCalendars>;

/** Live updates invalidate `['calendar']`; polling covers a lost stream. */
const fallbackPollMs = 60_000;
/** The call's own limit on the list of ids; beyond it the server's "all visible" must do. */
const maxIdsLength = 8_000;

const calendarsKey = ['calendar', 'calendars'];

export function useCalendars() {
  return useQuery({
    queryKey: calendarsKey,
    queryFn: ({ signal }) => api.listCalendars({}, { signal }),
    refetchInterval: fallbackPollMs,
  });
}

export interface EventRange {
  fromMs: number;
  toMs: number;
}

/**
 * Events of a range on all listed calendars, hidden ones too: showing and hiding one is then a matter of the browser,
 * at once and without a call.
 */
function eventsQuery({ fromMs, toMs }: EventRange, calendarIds: readonly string[]) {
  const [from, to] = [instantText(fromMs), instantText(toMs)];
  const ids = calendarIds.toSorted().join(',');
  return queryOptions({
    queryKey: ['calendar', 'events', from, to, ids],
    queryFn: ({ signal }) =>
      api.listEvents({ query: { from, to, ...(ids.length <= maxIdsLength ? { calendar_ids: ids } : {}) } }, { signal }),
    refetchInterval: fallbackPollMs,
    gcTime: 10 * 60_000,
  });
}

type EventList = Output<typeof calendarContract.listEvents>;

/** One or more ranges that follow each other, as one list; an event over their border is in it once. */
export function useEventRanges(ranges: readonly EventRange[], calendarIds: readonly string[]) {
  return useQueries({
    queries: ranges.map((range) => ({ ...eventsQuery(range, calendarIds), enabled: calendarIds.length > 0 })),
    combine: eventsOf,
  });
}

/** One function for all renders: what it makes is kept while the answers stay the same. */
function eventsOf(answers: UseQueryResult<EventList>[]) {
  const lists = answers.flatMap(({ data }) => (data === undefined ? [] : [data.events]));
  return {
    rows:
      lists.length === 1 && lists[0] !== undefined
        ? lists[0]
        : [...new Map(lists.flat().map((event) => [event.event_id, event])).values()],
    truncated: answers.some(({ data }) => data?.truncated),
    isPending: answers.some((answer) => answer.isPending),
    hasFailed: answers.some((answer) => answer.isError && answer.data === undefined),
    refetch: () => {
      for (const answer of answers) if (answer.isError) void answer.refetch();
    },
  };
}

/** Fetches the neighbours once what is on screen is there, so that the next week shows at once. */
export function usePrefetchEvents(ranges: readonly EventRange[], calendarIds: readonly string[], ready: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!ready || calendarIds.length === 0) return;
    const start = () => {
      for (const range of ranges) void queryClient.prefetchQuery(eventsQuery(range, calendarIds));
    };
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(start, 200); // Safari
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(start, { timeout: 2_000 });
    return () => cancelIdleCallback(idle);
  }, [queryClient, ranges, calendarIds, ready]);
}

/** Shows or hides a calendar: at once here, remembered by the server, taken back if that fails. */
export function useChangeVisibility() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ calendarId, visible }: { calendarId: string; visible: boolean }) =>
      (await import('./show-calendar.ts')).showCalendar(calendarId, visible),
    onMutate: async ({ calendarId, visible }) => {
      await queryClient.cancelQueries({ queryKey: calendarsKey });
      const before = queryClient.getQueryData<CalendarList>(calendarsKey);
      queryClient.setQueryData<CalendarList>(calendarsKey, (list) =>
        list === undefined
          ? undefined
          : {
              calendars: list.calendars.map((calendar) =>
                calendar.id === calendarId ? { ...calendar, visible } : calendar,
              ),
            },
      );
      return { before };
    },
    onError: (_error, _change, context) => {
      if (context?.before !== undefined) queryClient.setQueryData(calendarsKey, context.before);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: calendarsKey }),
  });
}

/** The origins of these items, or the states of their blocks. */
export function useMirrorLinks(itemIds: readonly string[]): readonly MirrorLink[] {
  const { data } = useQuery({
    queryKey: ['sync', 'mirror-links', itemIds.join()],
    // Marks on what is on screen already: their calls are no part of the first picture.
    queryFn: async ({ signal }) => (await import('./mirror-calls.ts')).listLinks(itemIds, signal),
    enabled: itemIds.length > 0,
    // An event that comes or goes changes the list; the marks of the others stay until the answer is here.
    placeholderData: keepPreviousData,
    gcTime: 10 * 60_000,
  });
  return data ?? noLinks;
}

const noLinks: readonly MirrorLink[] = [];

function instantText(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString();
}
