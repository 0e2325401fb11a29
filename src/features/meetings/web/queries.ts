import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { calendarContract } from '#features/calendar/contract.ts';
import { editsContract } from '#features/edits/contract.ts';
import { meetingsContract } from '#features/meetings/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient, urlOf } from '#kernel/contract-client.ts';
import { type ConsoleSearch, tabOf } from './console-search.ts';

const api = createClient(meetingsContract);
const edits = createClient(editsContract);
const calendar = createClient(calendarContract);

export type ConsolePage = Output<typeof meetingsContract.listMeetings>;
export type MeetingRow = ConsolePage['upcoming'][number];
export type MirrorRow = ConsolePage['mirrors'][number];
export type AuditEntry = Output<typeof meetingsContract.readAudit>['logs'][number];
export type EditScope = 'this' | 'following' | 'all';

/** Whether it failed, or waits for its next attempt. */
export const canRetry = ({ status, next_attempt_at: next }: MirrorRow) => status === 'failed' || next !== null;

function filtersOf(search: ConsoleSearch) {
  const { tab: _tab, page: _page, booking: _booking, status, health, ...rest } = search;
  const scope = tabOf(search);
  return { ...rest, scope, ...(scope === 'mirrors' ? { status } : { health }) };
}

export function useConsole(search: ConsoleSearch) {
  const query = { ...filtersOf(search), page: search.page ? String(search.page) : undefined };
  return useQuery({
    queryKey: ['meetings', 'list', query],
    queryFn: ({ signal }) => api.listMeetings({ query }, { signal }),
    // the rows of another page may stay until this one comes; those of another tab may not
    placeholderData: (previous, before) =>
      (before?.queryKey[2] as typeof query | undefined)?.scope === query.scope ? keepPreviousData(previous) : undefined,
    refetchInterval: 60_000,
  });
}

/** Where what is filtered is downloaded. */
export function exportAddress(search: ConsoleSearch): string {
  return urlOf(meetingsContract.exportMeetings, { query: filtersOf(search) });
}

/** The calendars that can be filtered by. */
export function useConsoleCalendars() {
  return useQuery({
    queryKey: ['calendar', 'calendars'],
    queryFn: ({ signal }) => calendar.listCalendars(undefined, { signal }),
    staleTime: 60_000,
  });
}

/** The trail of a mirror, or of the mirrors of an event or instance, newest first. */
export function useAudit(id: string) {
  return useQuery({
    queryKey: ['meetings', 'audit', id],
    queryFn: ({ signal }) => api.readAudit({ params: { id } }, { signal }),
  });
}

/** An act that shows at once what it will do, and puts things back where the server refuses. */
function useActing<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  show: (page: ConsolePage, input: Input) => ConsolePage,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onMutate: async (input: Input) => {
      const lists = { queryKey: ['meetings', 'list'] };
      await queryClient.cancelQueries(lists);
      const before = queryClient.getQueriesData<ConsolePage>(lists);
      queryClient.setQueriesData<ConsolePage>(lists, (page) => (page === undefined ? page : show(page, input)));
      return before;
    },
    onError: (_error, _input, before) => {
      for (const [key, page] of before ?? []) queryClient.setQueryData(key, page);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  });
}

const itemOf = (eventId: string) => eventId.split('_', 1)[0];

/** Mirrors that are checked and written again are pending. */
function showPending(page: ConsolePage, items: ReadonlySet<string | undefined>): ConsolePage {
  const ofMeeting = (row: MeetingRow): MeetingRow => {
    const { created, pending, failed } = row.mirrorHealth;
    if (!items.has(row.item_id)) return row;
    return {
      ...row,
      mirrorHealth: { ...row.mirrorHealth, created: 0, failed: 0, pending: created + pending + failed },
    };
  };
  const mirrors = page.mirrors.map((row) =>
    items.has(row.event_id) && row.status !== 'skipped'
      ? { ...row, status: 'pending' as const, next_attempt_at: null, error: null, reason: null }
      : row,
  );
  return { ...page, upcoming: page.upcoming.map(ofMeeting), past: page.past.map(ofMeeting), mirrors };
}

export function useResyncMirrors() {
  return useActing(
    (eventId: string) => api.resyncMirrors({ params: { eventId } }),
    (page, eventId) => showPending(page, new Set([itemOf(eventId)])),
  );
}

export function useResyncMany() {
  return useActing(
    (eventIds: string[]) => api.resyncMany({ body: { event_ids: eventIds } }),
    (page, eventIds) => showPending(page, new Set(eventIds.map(itemOf))),
  );
}

export function useRetryMirror() {
  return useActing(
    (mirrorId: string) => api.retryMirror({ params: { mirrorId } }),
    (page, mirrorId) => ({
      ...page,
      mirrors: page.mirrors.map((row) =>
        row.id === mirrorId
          ? { ...row, status: 'pending' as const, next_attempt_at: null, error: null, reason: null }
          : row,
      ),
    }),
  );
}

/** The meeting is deleted in its calendar, ten seconds later. */
export function useCancelMeeting() {
  return useActing(
    ({ row, scope, tellGuests }: { row: MeetingRow; scope: EditScope; tellGuests: boolean }) =>
      edits.deleteEvent({
        params: { id: row.event_id },
        query: { scope, version: row.version, tell_guests: tellGuests ? 'true' : 'false' },
      }),
    (page, { row, scope }) => ({
      ...page,
      upcoming: page.upcoming.filter((one) =>
        scope === 'this'
          ? one.event_id !== row.event_id
          : one.item_id !== row.item_id || (scope === 'following' && one.starts_at < row.starts_at),
      ),
    }),
  );
}

export function useUndoCancel() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (editId: string) =>
      edits.undoEdit({ params: { edit_id: editId } } as Parameters<typeof edits.undoEdit>[0]),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  });
}
