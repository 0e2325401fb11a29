import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { SessionId } from '#kernel/ids.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';
import { useRefresh } from './use-refresh.ts';

const api = createClient(accessContract);
const accounts = createClient(accountsContract);
const calendar = createClient(calendarContract);

export type OwnSession = Output<typeof accountsContract.listSessions>['sessions'][number];
export type TrailEntry = Output<typeof accountsContract.readTrail>['entries'][number];

export type PublishedFeed = Output<typeof calendarContract.listPublishedFeeds>['feeds'][number];

export function useOwnProfile() {
  return useQuery({ queryKey: sessionKey, queryFn: ({ signal }) => accounts.readAccountProfile({}, { signal }) });
}

export function useMailTroubles() {
  return useQuery({
    queryKey: ['access', 'mail-troubles'],
    queryFn: ({ signal }) => accounts.listMailTroubles({}, { signal }),
  });
}

export function useSessions() {
  return useQuery({
    queryKey: ['access', 'sessions'],
    queryFn: ({ signal }) => accounts.listSessions({}, { signal }),
    staleTime: 0,
    // A sign-in elsewhere announces itself to nobody.
    refetchInterval: 60_000,
  });
}

export function useEndSession() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (sessionId: SessionId) => accounts.endSession({ params: { sessionId } }),
    onSettled: refresh,
  });
}

export function useLeaveElsewhere() {
  const refresh = useRefresh();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ endKeys }: { endKeys: boolean }) =>
      accounts.logoutEverywhere({ body: { includingThis: false, ...(endKeys ? { end_keys: true } : {}) } }),
    onSuccess: () => Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: feedsKey })]),
  });
}

/** As on the calendar's screen, without the secret addresses. */
const feedsKey = ['published-feeds'];

export function useFeeds() {
  return useQuery({
    queryKey: feedsKey,
    queryFn: ({ signal }) => calendar.listPublishedFeeds({ query: {} }, { signal }),
  });
}

export function useEndFeed() {
  const refresh = useRefresh();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (content: PublishedFeed['content']) => calendar.unpublishFeed({ params: { content } }),
    onSuccess: (published) => {
      queryClient.setQueryData(feedsKey, published);
      return refresh();
    },
  });
}

export function useTrail() {
  return useInfiniteQuery({
    queryKey: ['access', 'trail'],
    queryFn: ({ pageParam, signal }) =>
      accounts.readTrail({ query: pageParam === null ? {} : { before: pageParam } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  });
}

export function useChangePassword() {
  const refresh = useRefresh();
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (body: CallInput<typeof accessContract.changePassword>['body']) =>
      withProof(() => api.changePassword({ body })),
    onSuccess: () => Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: feedsKey })]),
  });
}

export function useChangeEmail() {
  const refresh = useRefresh();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (email: string) => withProof(() => api.changeEmail({ body: { email } })),
    onSuccess: refresh,
  });
}

export function useMfa() {
  return useQuery({ queryKey: ['access', 'mfa'], queryFn: ({ signal }) => api.readMfa({}, { signal }) });
}

export function useRenewBackupCodes() {
  const refresh = useRefresh();
  const withProof = useReauthentication();
  return useMutation({ mutationFn: () => withProof(() => api.regenerateBackupCodes()), onSuccess: refresh });
}

export function useTurnOffMfa() {
  const refresh = useRefresh();
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: () => withProof(() => api.disableMfa()),
    // The shell warns an administrator who has none.
    onSuccess: () => Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: sessionKey })]),
  });
}
