import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { connectionsContract } from '#features/connections/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { defaultSettings, type SyncSettings } from '#features/sync/rules/sync-settings.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(syncContract);
const connectionsApi = createClient(connectionsContract);

export type Group = Output<typeof syncContract.listGroups>['groups'][number];
export type GroupInput = CallInput<typeof syncContract.createGroup>['body'];
export type Diff = Output<typeof syncContract.previewGroup>['diff'];
export type Breaker = Group['breakers'][number];
type Calendar = Output<typeof connectionsContract.listIntegrationCalendars>['calendars'][number];

/** A calendar with the account it belongs to. */
export interface NamedCalendar extends Calendar {
  account: string;
  /** Unlike that of any other calendar of the person. */
  fullName: string;
}

const groupsKey = ['sync', 'groups'];

/** The person's settings for all groups; the product's defaults until they are loaded. */
export function useSettings(): SyncSettings {
  const settings = useQuery({
    queryKey: ['sync', 'settings'],
    queryFn: ({ signal }) => api.readSettings({}, { signal }),
  });
  return settings.data?.settings ?? defaultSettings;
}

export function useGroups() {
  return useQuery({
    queryKey: groupsKey,
    queryFn: ({ signal }) => api.listGroups({}, { signal }),
    // An initial mirror shows its progress even where announcements do not get through.
    refetchInterval: ({ state }) => (state.data?.groups.some((group) => group.counts.pending > 0) ? 3_000 : 60_000),
  });
}

export function useNamedCalendars() {
  const accounts = useQuery({
    queryKey: ['connections', 'accounts'],
    queryFn: ({ signal }) => connectionsApi.listAccounts({}, { signal }),
  });
  const calendars = useQuery({
    queryKey: ['connections', 'calendars'],
    queryFn: ({ signal }) => connectionsApi.listIntegrationCalendars({}, { signal }),
  });
  const emails = new Map(accounts.data?.accounts.map((account) => [account.accountId, account.email]));
  const names = Map.groupBy(calendars.data?.calendars ?? [], (calendar) => calendar.name);
  const data: NamedCalendar[] | undefined =
    accounts.data &&
    calendars.data?.calendars.map((calendar) => {
      const account = emails.get(calendar.accountId) ?? '';
      return {
        ...calendar,
        account,
        fullName: fullNameOf(calendar, account, (names.get(calendar.name)?.length ?? 0) > 1),
      };
    });
  return {
    data,
    error: accounts.error ?? calendars.error,
    refetch: () => Promise.all([accounts.refetch(), calendars.refetch()]),
  };
}

/** Names that providers give a first calendar. They say nothing beside other accounts. */
const usualNames = new Set(['calendar', 'kalender', 'calendrier', 'calendario', '予定表', 'カレンダー']);

function fullNameOf({ name, isPrimary }: Calendar, account: string, isAmbiguous: boolean): string {
  if (account === '' || account === name) return name;
  if (isPrimary && usualNames.has(name.toLowerCase())) return account;
  return isAmbiguous ? `${name} (${account})` : name;
}

/** Dry run of a group as it would be saved, or null for none. Asks the server, which asks no provider. */
export function usePreview(groupId: string | null, input: GroupInput | null) {
  return useQuery({
    queryKey: ['sync', 'preview', groupId, input],
    queryFn: ({ signal }) => {
      if (input === null) throw new Error('there is nothing to preview');
      return api.previewGroup({ body: { ...input, groupId } }, { signal });
    },
    enabled: input !== null,
    gcTime: 60_000,
  });
}

/** Creates, or replaces the revision that was edited. */
export function useSaveGroup() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ group, input }: { group: Group | null; input: GroupInput }) =>
      group
        ? api.changeGroup({ params: { groupId: group.groupId }, body: { ...input, revision: group.revision } })
        : api.createGroup({ body: input }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: groupsKey }),
        queryClient.invalidateQueries({ queryKey: ['meetings'] }),
        queryClient.invalidateQueries({ queryKey: ['help', 'first-steps'] }),
      ]),
  });
}

export function useRemoveGroup() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (groupId: string) => api.removeGroup({ params: { groupId } }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: groupsKey }),
        queryClient.invalidateQueries({ queryKey: ['help', 'first-steps'] }),
      ]),
  });
}

export function useAnswerBreaker(groupId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CallInput<typeof syncContract.answerBreaker>['body']) =>
      api.answerBreaker({ params: { groupId }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: groupsKey }),
  });
}
