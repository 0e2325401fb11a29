import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bookingEndpoints, type HostBooking } from '#features/booking/rules/booking-endpoints.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { BookingId } from '#kernel/ids.ts';
import { msOfInstant } from '#ui/format.ts';
import type { ConsolePage, MeetingRow } from '../queries.ts';

const api = createClient(bookingEndpoints);

export type { HostBooking };

type ReadBooking = Output<typeof bookingEndpoints.readBooking>;
export type BookingHistory = ReadBooking['history'];
/** The dates that were booked together; null where a booking was made alone. */
export type BookingSeries = ReadBooking['series'];
export type LaterDate = NonNullable<BookingSeries>['later'][number];

const paramsOf = (id: string) => ({ params: { booking_id: id as BookingId } });

/** A booking and what happened to it. */
export function useBooking(id: string) {
  return useQuery({
    queryKey: ['booking', 'one', id],
    queryFn: ({ signal }) => api.readBooking(paramsOf(id), { signal }),
  });
}

/** Bookings that wait for their host's answer, the soonest first. */
export function useRequests() {
  return useQuery({
    queryKey: ['booking', 'requests'],
    queryFn: async ({ signal }) => {
      const { bookings } = await api.listBookings({ query: { scope: 'pending' } }, { signal });
      return bookings.filter(({ state }) => state === 'pending');
    },
  });
}

/** To when it can be moved; minutes since the epoch. */
export function useBookingSlots(id: string, from: number, to: number) {
  return useQuery({
    queryKey: ['booking', 'slots', id, from, to],
    queryFn: ({ signal }) => api.listBookingSlots({ ...paramsOf(id), query: { from, to } }, { signal }),
    staleTime: 0,
  });
}

const isMeant = (one: HostBooking, { id, series = null }: { id: string; series?: string | null }) =>
  one.booking_id === id || (series !== null && one.series_id === series);

/** An act on a booking that shows at once, in rows and in details, and puts things back where the server refuses. */
function useActing<Input extends { id: string; series?: string | null; later?: readonly string[] }>(
  act: (input: Input) => Promise<{ booking: HostBooking }>,
  show: {
    row?: (row: MeetingRow, input: Input) => MeetingRow;
    booking: (booking: HostBooking, input: Input) => HostBooking;
  },
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onMutate: async (input: Input) => {
      const { id, later = [] } = input;
      const touched = [
        ['meetings', 'list'],
        ['booking', 'one', id],
        ['booking', 'requests'],
      ];
      await Promise.all(touched.map((queryKey) => queryClient.cancelQueries({ queryKey })));
      const before = touched.flatMap((queryKey) => queryClient.getQueriesData({ queryKey }));
      const rows = (list: MeetingRow[]) =>
        list.map((row) =>
          row.booking?.comers.some(({ booking_id }) => booking_id === id || later.includes(booking_id))
            ? (show.row?.(row, input) ?? row)
            : row,
        );
      queryClient.setQueriesData<ConsolePage>({ queryKey: ['meetings', 'list'] }, (page) =>
        page === undefined ? page : { ...page, upcoming: rows(page.upcoming), past: rows(page.past) },
      );
      queryClient.setQueryData<ReadBooking>(['booking', 'one', id], (one) =>
        one === undefined ? one : { ...one, booking: show.booking(one.booking, input) },
      );
      queryClient.setQueryData<HostBooking[]>(['booking', 'requests'], (requests) =>
        requests
          ?.map((one) => (isMeant(one, input) ? show.booking(one, input) : one))
          .filter(({ state }) => state === 'pending'),
      );
      return before;
    },
    onError: (_error, _input, before) => {
      for (const [key, data] of before ?? []) queryClient.setQueryData(key, data);
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['meetings'] }),
        queryClient.invalidateQueries({ queryKey: ['booking'] }),
        queryClient.invalidateQueries({ queryKey: ['inbox'] }),
      ]),
  });
}

/** An answer to a request; `series`: to all that waits of this one, which it is of. */
interface Answered {
  id: string;
  series: string | null;
}

export function useConfirmBooking() {
  return useActing(
    ({ id, series }: Answered) => api.confirmBooking({ ...paramsOf(id), body: { series: series !== null } }),
    {
      booking: (booking) => ({ ...booking, state: 'confirmed' }),
    },
  );
}

export function useDeclineBooking() {
  return useActing(
    ({ id, series, reason }: Answered & { reason: string }) =>
      api.declineBooking({ ...paramsOf(id), body: { ...given(reason), series: series !== null } }),
    { booking: (booking) => ({ ...booking, state: 'declined' }) },
  );
}

interface Cancelled {
  id: string;
  reason: string;
  /** All guests of its time. */
  everyone: boolean;
  /** Later dates of its series that are canceled with it. */
  later: readonly string[];
}

export function useCancelBooking() {
  return useActing(
    ({ id, reason, everyone, later }: Cancelled) =>
      api.cancelBooking({ ...paramsOf(id), body: { ...given(reason), everyone, following: later.length > 0 } }),
    {
      row: (row, { id, everyone, later }) => {
        const comers = row.booking?.comers ?? [];
        const isOwn = comers.some(({ booking_id }) => booking_id === id);
        const left = comers.filter(({ booking_id }) =>
          isOwn ? !everyone && booking_id !== id : !later.includes(booking_id),
        );
        if (left.length === 0 || row.booking === null) return { ...row, status: 'Cancelled' };
        return { ...row, booking: { ...row.booking, comers: left } };
      },
      booking: (booking) => ({ ...booking, state: 'cancelled', ended_by: 'host' }),
    },
  );
}

export interface Move {
  id: string;
  startMs: number;
  sequence: number;
  anyway: boolean;
}

export function useMoveBooking() {
  return useActing(
    ({ id, startMs, sequence, anyway }: Move) =>
      api.rescheduleBooking({ ...paramsOf(id), body: { start: startMs / 60_000, sequence, anyway } }),
    {
      row: (row, { startMs }) => ({
        ...row,
        starts_at: isoOf(startMs),
        ends_at: isoOf(startMs + msOfInstant(row.ends_at) - msOfInstant(row.starts_at)),
      }),
      booking: (booking, { startMs }) => ({
        ...booking,
        start_time: startMs,
        end_time: startMs + booking.end_time - booking.start_time,
      }),
    },
  );
}

export function useMarkNoShow() {
  return useActing(
    ({ id, who, noShow }: { id: string; who: 'guest' | 'host'; noShow: boolean }) =>
      api.markNoShow({ ...paramsOf(id), body: { who, no_show: noShow } }),
    {
      booking: (booking, { who, noShow }) =>
        who === 'guest' ? { ...booking, guest_no_show: noShow } : { ...booking, host_no_show: noShow },
    },
  );
}

const isoOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
const given = (reason: string) => (reason.trim() === '' ? {} : { reason: reason.trim() });
