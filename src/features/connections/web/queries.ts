import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { calendarContract } from '#features/calendar/contract.ts';
import { keptContract } from '#features/calendar/kept/contract.ts';
import { connectionsContract } from '#features/connections/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { lacksBlocks, mirrorsAnything } from '#features/sync/rules/mirrors-anything.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(connectionsContract);
const syncApi = createClient(syncContract);
const calendarApi = createClient(calendarContract);
const keptApi = createClient(keptContract);

export type Account = Output<typeof connectionsContract.listAccounts>['accounts'][number];
export type AccountCalendar = Output<typeof connectionsContract.listIntegrationCalendars>['calendars'][number];
export type WarnedEvent = Output<typeof calendarContract.listWarnings>['events'][number];
export type ReadingWarning = WarnedEvent['notes'][number];
export type SignIn = Output<typeof connectionsContract.listProviders>['signIns'][number];
export type SimulatedProvider = SignIn['provider'];
export type SyncSettings = Output<typeof syncContract.readSettings>['settings'];
export type ProviderCard = Output<typeof connectionsContract.listProviders>['providers'][number];
type AccountList = Output<typeof connectionsContract.listAccounts>;
type CalendarList = Output<typeof connectionsContract.listIntegrationCalendars>;
type CalendarChange = CallInput<typeof connectionsContract.changeCalendar>;

const accountsKey = ['connections', 'accounts'];
const calendarsKey = ['connections', 'calendars'];

export function useProviders() {
  return useQuery({
    queryKey: ['connections', 'providers'],
    queryFn: ({ signal }) => api.listProviders({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Whether blocks are written for the calendars of an account: `off` if their groups are switched off, `outside` if they
 * have none, and `oneWay` if they block others and nothing blocks them.
 */
export type MirrorPart = 'mirrored' | 'oneWay' | 'off' | 'outside';

/** Whether any mirroring is set up, and what part calendars have in it; without an answer, all are taken to be mirrored. */
export function useMirroring() {
  const { data, isFetched } = useQuery({
    queryKey: ['sync', 'groups'],
    queryFn: ({ signal }) => syncApi.listGroups({}, { signal }),
  });
  const groups = data?.groups.filter((group) => mirrorsAnything(group.members)) ?? [];
  const switchedOn = groups.filter((group) => group.enabled);
  const isIn = (some: typeof groups, calendarIds: string[]) =>
    some.some((group) => group.members.some((member) => calendarIds.includes(member.calendarId)));
  return {
    isSetUp: !data || groups.length > 0,
    partOf: (calendars: readonly { calendarId: string; writable: boolean }[]): MirrorPart => {
      const calendarIds = calendars.map((calendar) => calendar.calendarId);
      if (!data) return 'mirrored';
      if (isIn(switchedOn, calendarIds)) return lacksBlocks(switchedOn, calendars) ? 'oneWay' : 'mirrored';
      return isIn(groups, calendarIds) ? 'off' : 'outside';
    },
    isAwaited: !isFetched,
  };
}

/** The reason why a return from a provider failed, in the words of the server; null where it does not know. */
export const takeOutcome = () =>
  api.takeOutcome().then(
    ({ message }) => message,
    () => null,
  );

export function useAccounts() {
  return useQuery({
    queryKey: accountsKey,
    queryFn: ({ signal }) => api.listAccounts({}, { signal }),
    // While something is under way the server's announcements are backed by asking, so that no row hangs.
    refetchInterval: ({ state }) =>
      state.data?.accounts.some((account) => account.disconnecting || account.status === 'syncing') ? 5_000 : 60_000,
  });
}

export function useAccountCalendars() {
  return useQuery({
    queryKey: calendarsKey,
    queryFn: ({ signal }) => api.listIntegrationCalendars({}, { signal }),
    refetchInterval: 60_000,
  });
}

/** How many warnings the readings of each calendar gave, and how many of them cost an event its time; by calendar. */
export function useWarningCounts() {
  const { data } = useQuery({
    queryKey: ['calendar', 'calendars'],
    queryFn: ({ signal }) => calendarApi.listCalendars({}, { signal }),
  });
  return new Map(data?.calendars.map(({ id, warnings, unread }) => [id, { warnings, unread }]));
}

export function useWarnings(calendarId: string) {
  return useQuery({
    queryKey: ['calendar', 'warnings', calendarId],
    queryFn: ({ signal }) => calendarApi.listWarnings({ params: { calendarId } }, { signal }),
  });
}

/** Removes a calendar that its account no longer lists. */
export function useRemoveCalendar() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (calendarId: string) => syncApi.removeCalendar({ params: { calendarId } }),
    onSettled: refresh,
  });
}

/** Everything that shows accounts or their calendars asks again. */
function useRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['connections'] }),
      queryClient.invalidateQueries({ queryKey: ['calendar'] }),
      queryClient.invalidateQueries({ queryKey: ['sync'] }),
    ]);
}

export function useConnectCaldav() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: CallInput<typeof connectionsContract.connectCaldav>['body']) => api.connectCaldav({ body }),
    onSuccess: refresh,
  });
}

export function useConnectFeed() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (url: string) => api.connectFeed({ body: { url } }), onSuccess: refresh });
}

export function useConnectOwn() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: () => api.connectOwn({}), onSuccess: refresh });
}

export function useReconnect() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: CallInput<typeof connectionsContract.reconnect>) => api.reconnect(input),
    onSuccess: refresh,
  });
}

/** How many events are deleted with a calendar that Holdfast keeps; asked again each time the dialog opens. */
export function useKeptEvents(calendarId: string | undefined, opened: boolean) {
  return useQuery({
    queryKey: ['calendar', 'kept', calendarId],
    queryFn: ({ signal }) => keptApi.countKept({ params: { calendarId: calendarId ?? '' } }, { signal }),
    enabled: opened && calendarId !== undefined,
    gcTime: 0,
  });
}

export function useDisconnect() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ accountId, provider }: Account) =>
      api.disconnect({ params: { accountId }, query: provider === 'holdfast' ? { delete_events: '1' } : {} }),
    onSuccess: refresh,
  });
}

/** Shows the new state at once and takes it back when the server refuses. */
export function useChangeCalendar() {
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (change: CalendarChange) => api.changeCalendar(change),
    onMutate: async ({ params, body }) => {
      await queryClient.cancelQueries({ queryKey: calendarsKey });
      const before = queryClient.getQueryData<CalendarList>(calendarsKey);
      queryClient.setQueryData<CalendarList>(
        calendarsKey,
        (list) =>
          list && {
            calendars: list.calendars.map((one) => (one.calendarId === params.calendarId ? { ...one, ...body } : one)),
          },
      );
      return { before };
    },
    onError: (_error, _change, context) => queryClient.setQueryData(calendarsKey, context?.before),
    onSettled: refresh,
  });
}

/** Longer than most accounts take to be read; what takes longer tells by its status line. */
const WAITS_MS = [250, 250, 500, 500, 1_000, 1_000, 1_500, 2_000, 3_000, 5_000, 5_000];

/** Asks for a sync and waits until it is done; false where it takes longer than anybody watches. */
async function syncNow(accountId: string): Promise<boolean> {
  const find = async () => (await api.listAccounts({})).accounts.find((one) => one.accountId === accountId);
  const before = await find();
  await syncApi.syncAccount({ params: { accountId } });
  for (const waitMs of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const now = await find();
    // an account that could not be read says why itself
    if (now === undefined || (now.status === 'error' && before?.status !== 'error')) return false;
    if (now.lastSyncedAt !== before?.lastSyncedAt && now.status === 'active') return true;
  }
  return false;
}

/** `Syncing...` at once; the true outcome comes with the next answer. */
export function useSyncAccount() {
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: syncNow,
    onMutate: async (accountId) => {
      await queryClient.cancelQueries({ queryKey: accountsKey });
      const before = queryClient.getQueryData<AccountList>(accountsKey);
      queryClient.setQueryData<AccountList>(
        accountsKey,
        (list) =>
          list && {
            accounts: list.accounts.map((one) => (one.accountId === accountId ? { ...one, status: 'syncing' } : one)),
          },
      );
      return { before };
    },
    onError: (_error, _accountId, context) => queryClient.setQueryData(accountsKey, context?.before),
    onSettled: refresh,
  });
}

export function useSimulate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (provider: SimulatedProvider) => api.simulateConnect({ body: { provider } }),
    onSuccess: refresh,
  });
}

export function useSettings() {
  return useQuery({
    queryKey: ['sync', 'settings'],
    queryFn: ({ signal }) => syncApi.readSettings({}, { signal }),
  });
}

export function useChangeSettings() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: SyncSettings) => syncApi.changeSettings({ body }),
    onSuccess: refresh,
  });
}
