import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { teamBookingEndpoints } from '#features/booking/rules/team-endpoints.ts';
import { typeEndpoints } from '#features/booking/rules/type-endpoints.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { TeamTypes, TypeId } from './queries.ts';

const api = createClient({ ...teamBookingEndpoints, listPoolMembers: typeEndpoints.listPoolMembers });

type TeamId = TeamTypes['team_id'];
export type StandIns = Output<typeof teamBookingEndpoints.listStandIns>;
export type PoolMember = Output<typeof typeEndpoints.listPoolMembers>['members'][number];

/** The team members who can host an event type, and their share of bookings. */
export const usePoolMembers = (id: TypeId) =>
  useQuery({
    queryKey: ['booking', 'pool', id],
    queryFn: ({ signal }) => api.listPoolMembers({ params: { id } }, { signal }),
  });

/** The video meetings that the accounts of each team member can create. */
export const useTeamConferences = (teamId: TeamId | null | undefined) =>
  useQuery({
    queryKey: ['booking', 'conferences', teamId],
    queryFn: ({ signal }) => {
      if (teamId == null) throw new Error('there is no team');
      return api.listTeamConferences({ params: { team_id: teamId } }, { signal });
    },
    enabled: teamId != null,
  }).data?.members;

const standInsKey = (teamId: TeamId) => ['booking', 'stand-ins', teamId];

export const useStandIns = (teamId: TeamId) =>
  useQuery({
    queryKey: standInsKey(teamId),
    queryFn: ({ signal }) => api.listStandIns({ params: { team_id: teamId } }, { signal }),
  });

export function useAddStandIn(teamId: TeamId) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CallInput<typeof teamBookingEndpoints.addStandIn>['body']) =>
      api.addStandIn({ params: { team_id: teamId }, body }),
    onSuccess: (list) => queryClient.setQueryData<StandIns>(standInsKey(teamId), list),
  });
}

export function useRemoveStandIn(teamId: TeamId) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.removeStandIn({ params: { team_id: teamId, stand_in_id: id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: standInsKey(teamId) }),
  });
}
