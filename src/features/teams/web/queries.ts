import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { sessionEndpoints } from '#features/accounts/rules/session-endpoints.ts';
import { bookingContract } from '#features/booking/contract.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import { teamsContract } from '#features/teams/contract.ts';
import type { GivenRole } from '#features/teams/rules.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(teamsContract);
const accountsApi = createClient(sessionEndpoints);
const bookingApi = createClient(bookingContract);
const calendarApi = createClient(calendarContract);

export type TeamList = Output<typeof teamsContract.listTeams>;
export type WholeTeam = Output<typeof teamsContract.readTeam>;
export type Team = WholeTeam['team'];
export type TeamId = Team['id'];
export type Member = WholeTeam['members'][number];
export type Invitation = WholeTeam['invitations'][number];
export type Received = TeamList['invitations'][number];
export type TrailEntry = Output<typeof teamsContract.readTeamTrail>['entries'][number];
export type BusyMember = Output<typeof calendarContract.teamBusy>['members'][number];
export type Handle = Output<typeof bookingContract.readTeamHandle>;

/** Refetched after a live update; a team's data follows (`useFreshTeam`), if the person is still in it. */
const listKey = ['teams'];
const teamKey = (teamId: TeamId) => ['team', teamId, 'whole'];
const handleKey = (teamId: TeamId) => ['team', teamId, 'handle'];

export const useTeams = () => useQuery({ queryKey: listKey, queryFn: ({ signal }) => api.listTeams({}, { signal }) });

export const useTeam = (teamId: TeamId) =>
  useQuery({ queryKey: teamKey(teamId), queryFn: ({ signal }) => api.readTeam({ params: { teamId } }, { signal }) });

/** Refetches a shown team whenever the list was refetched; a team that the person left is not shown. */
export function useFreshTeam(teamId: TeamId, listedAtMs: number): void {
  const queryClient = useQueryClient();
  const shownSince = useRef(listedAtMs);
  useEffect(() => {
    if (shownSince.current === listedAtMs) return;
    shownSince.current = listedAtMs;
    void queryClient.invalidateQueries({ queryKey: ['team', teamId] });
  }, [queryClient, teamId, listedAtMs]);
}

/** The signed-in user. */
export function useOwnId(): string | undefined {
  const profile = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => accountsApi.readAccountProfile({}, { signal }),
  });
  return profile.data?.user_id;
}

/** A call whose answer is the team as it is now. */
function useTeamCall<Given>(call: (given: Given) => Promise<WholeTeam>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: (whole) => {
      queryClient.setQueryData(teamKey(whole.team.id), whole);
      return queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
}

/** A call after which one may be in other teams than before. */
function useAnyCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => queryClient.invalidateQueries({ queryKey: listKey }),
  });
}

export const useCreateTeam = () => useTeamCall((name: string) => api.createTeam({ body: { name } }));
export const useChangeTeam = (teamId: TeamId) =>
  useTeamCall((body: { name?: string; about?: string }) => api.changeTeam({ params: { teamId }, body }));
export const useChangeLogo = (teamId: TeamId) =>
  useTeamCall(async (file: File | null) =>
    file === null
      ? api.removeLogo({ params: { teamId } })
      : api.changeLogo({ params: { teamId }, body: new Uint8Array(await file.arrayBuffer()) }),
  );
export const useDeleteTeam = () =>
  useAnyCall(({ teamId, name }: { teamId: TeamId; name: string }) =>
    api.deleteTeam({ params: { teamId }, body: { name } }),
  );
export const useRestoreTeam = () => useAnyCall((teamId: TeamId) => api.restoreTeam({ params: { teamId } }));

export const useChangeRole = (teamId: TeamId) =>
  useTeamCall(({ userId, role }: { userId: Member['user_id']; role: GivenRole }) =>
    api.changeMemberRole({ params: { teamId, userId }, body: { role } }),
  );
export const useRemoveMember = (teamId: TeamId) =>
  useAnyCall(async ({ userId, heir }: { userId: Member['user_id']; heir: Member['user_id'] | null }) => {
    // the removal hands bookings for which the heir is not free to the next host
    if (heir !== null) await bookingApi.handOver({ params: { team_id: teamId }, body: { from: userId, to: heir } });
    await api.removeMember({ params: { teamId, userId } });
  });
export const useChangeSharing = (teamId: TeamId) =>
  useTeamCall((shares: Team['shares']) => api.changeSharing({ params: { teamId }, body: { shares } }));
export const useOfferTeam = (teamId: TeamId) =>
  useTeamCall((userId: Member['user_id']) => api.offerTeam({ params: { teamId }, body: { user_id: userId } }));
export const useWithdrawTransfer = (teamId: TeamId) => useTeamCall(() => api.withdrawTransfer({ params: { teamId } }));
export const useAcceptTransfer = (teamId: TeamId) => useTeamCall(() => api.acceptTransfer({ params: { teamId } }));

export const useInvite = (teamId: TeamId) =>
  useTeamCall((body: { email: string; role: GivenRole }) => api.inviteMember({ params: { teamId }, body }));
export const useResend = (teamId: TeamId) =>
  useTeamCall((invitationId: Invitation['id']) => api.resendInvitation({ params: { teamId, invitationId } }));
export const useWithdraw = (teamId: TeamId) =>
  useTeamCall((invitationId: Invitation['id']) => api.withdrawInvitation({ params: { teamId, invitationId } }));

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.readInvitation({ params: { token } }, { signal }),
    enabled: token !== '',
    retry: false,
  });
export const useAccept = () =>
  useAnyCall((invitationId: Invitation['id']) => api.acceptInvitation({ params: { invitationId } }));
export const useDecline = () =>
  useAnyCall((invitationId: Invitation['id']) => api.declineInvitation({ params: { invitationId } }));

export const useTeamTrail = (teamId: TeamId) =>
  useInfiniteQuery({
    queryKey: ['team', teamId, 'trail'],
    queryFn: ({ pageParam, signal }) =>
      api.readTeamTrail({ params: { teamId }, query: pageParam === null ? {} : { before: pageParam } }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });

export const useTeamBusy = (teamId: TeamId, range: { from: string; to: string }) =>
  useQuery({
    queryKey: ['team', teamId, 'busy', range.from, range.to],
    queryFn: ({ signal }) => calendarApi.teamBusy({ params: { teamId }, query: range }, { signal }),
    placeholderData: (before) => before,
    // changes in other people's calendars cause no live update
    refetchInterval: 60_000,
  });

/** Future bookings of a member for the team, for the removal dialog. */
export const useToCome = (teamId: TeamId, userId: Member['user_id'], enabled: boolean) =>
  useQuery({
    queryKey: ['team', teamId, 'to-come', userId],
    queryFn: ({ signal }) => bookingApi.readToCome({ params: { team_id: teamId, user_id: userId } }, { signal }),
    enabled,
    staleTime: 0,
  });

export const useTeamHandle = (teamId: TeamId) =>
  useQuery({
    queryKey: handleKey(teamId),
    queryFn: ({ signal }) => bookingApi.readTeamHandle({ params: { teamId } }, { signal }),
  });
/** Checks a public address for a team. Without a team, it is for a new one. */
export const checkHandle = (handle: string, teamId: TeamId | null, signal: AbortSignal) =>
  teamId === null
    ? bookingApi.checkHandle({ query: { handle } }, { signal })
    : bookingApi.checkTeamHandle({ params: { teamId }, query: { handle } }, { signal });
export function useChangeHandle() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ teamId, handle }: { teamId: TeamId; handle: string }) =>
      bookingApi.changeTeamHandle({ params: { teamId }, body: { handle } }),
    onSuccess: (answer, { teamId }) => {
      queryClient.setQueryData<Handle>(handleKey(teamId), answer);
      return queryClient.invalidateQueries({ queryKey: ['team', teamId, 'trail'] });
    },
  });
}
