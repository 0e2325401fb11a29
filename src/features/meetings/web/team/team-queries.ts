import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bookingEndpoints } from '#features/booking/rules/booking-endpoints.ts';
import { teamBookingEndpoints } from '#features/booking/rules/team-endpoints.ts';
import { typeEndpoints } from '#features/booking/rules/type-endpoints.ts';

import { createClient } from '#kernel/contract-client.ts';
import type { BookingId, TeamId, UserId } from '#kernel/ids.ts';

const api = createClient({
  ...teamBookingEndpoints,
  listBookings: bookingEndpoints.listBookings,
  listEventTypes: typeEndpoints.listEventTypes,
});

export type TeamScope = 'upcoming' | 'pending' | 'past' | 'ended';

/** A page of what is booked with a team; `after`: the last of the page before. */
export function useTeamBookings(teamId: string, scope: TeamScope, after: string | undefined) {
  return useQuery({
    queryKey: ['booking', 'team', teamId, scope, after],
    queryFn: ({ signal }) =>
      api.listBookings(
        { query: { scope, team_id: teamId as TeamId, limit: pageOf, ...(after === undefined ? {} : { after }) } },
        { signal },
      ),
  });
}
export const pageOf = 50;

/** The team by the event types that it has; undefined while it is asked for, null where they are in none such. */
export function useTeamName(teamId: string): string | null | undefined {
  const found = useQuery({
    queryKey: ['booking', 'types'],
    queryFn: ({ signal }) => api.listEventTypes({}, { signal }),
  });
  return found.data === undefined ? undefined : (found.data.teams.find((one) => one.team_id === teamId)?.name ?? null);
}

/** Hosts who could take over a booking at its time. */
export function useTakers(id: string) {
  return useQuery({
    queryKey: ['booking', 'takers', id],
    queryFn: ({ signal }) => api.listTakers({ params: { booking_id: id as BookingId } }, { signal }),
    staleTime: 0,
  });
}

export function useReassign(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ to, from, sequence }: { to: string | null; from: string; sequence: number }) =>
      api.reassignBooking({
        params: { booking_id: id as BookingId },
        body: { from: from as UserId, sequence, ...(to === null ? {} : { to: to as UserId }) },
      }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['meetings'] }),
        queryClient.invalidateQueries({ queryKey: ['booking'] }),
      ]),
  });
}
