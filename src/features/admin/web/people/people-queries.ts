import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { UserId } from '#kernel/ids.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';
import { adminContract } from '../../contract.ts';

const api = createClient(adminContract);

export type Person = Output<typeof adminContract.listUsers>['people'][number];
export type Entry = Output<typeof adminContract.listAudit>['entries'][number];
export type PeopleQuery = NonNullable<CallInput<typeof adminContract.listUsers>['query']>;
export type AuditQuery = NonNullable<CallInput<typeof adminContract.exportAuditCsv>['query']>;

const peopleKey = 'people';

export function usePeople(query: PeopleQuery) {
  return useQuery({
    queryKey: [peopleKey, 'list', query],
    queryFn: ({ signal }) => api.listUsers({ query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function usePerson(userId: UserId) {
  return useQuery({
    queryKey: [peopleKey, 'one', userId],
    queryFn: ({ signal }) => api.readUser({ params: { userId } }, { signal }),
  });
}

export function usePersonExport(userId: UserId) {
  return useQuery({
    queryKey: [peopleKey, 'export', userId],
    queryFn: ({ signal }) => api.readUserExport({ params: { userId } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.export?.state === 'making' ? 2_000 : false),
  });
}

export const exportAddress = (userId: string, exportId: string) => `/api/admin/users/${userId}/export/${exportId}/file`;

export const personActs = ['suspend', 'resume', 'verify', 'resetMfa', 'impersonate', 'export', 'delete'] as const;
export type PersonAct = (typeof personActs)[number];

/** Everything that is done to somebody, after a recent proof. */
export function useActOnPerson(userId: UserId) {
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  const params = { userId };
  return useMutation({
    mutationFn: ({ act, reason, email }: { act: PersonAct; reason: string; email: string }): Promise<unknown> =>
      withProof<unknown>(() => {
        const body = { reason };
        if (act === 'suspend') return api.suspendUser({ params, body });
        if (act === 'resume') return api.resumeUser({ params, body });
        if (act === 'verify') return api.resendUserVerification({ params, body });
        if (act === 'resetMfa') return api.resetUserMfa({ params, body });
        if (act === 'impersonate') return api.impersonateUser({ params, body });
        if (act === 'export') return api.exportUser({ params, body });
        return api.deleteUser({ params, body: { reason, email } });
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [peopleKey] }),
  });
}

export function useAudit(query: AuditQuery) {
  return useInfiniteQuery({
    queryKey: ['audit', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      api.listAudit({ query: { ...query, ...(pageParam === null ? {} : { before: pageParam }) } }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

export function useVerifyAudit() {
  return useMutation({ mutationFn: () => api.verifyAudit() });
}

/** Where the same can be had as a file. */
export function auditFile(format: 'csv' | 'json', query: AuditQuery): string {
  const { from, to, ...rest } = query;
  const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  const asked = new URLSearchParams({
    ...rest,
    ...(from === undefined ? {} : { from: iso(from) }),
    ...(to === undefined ? {} : { to: iso(to) }),
  }).toString();
  return `/api/admin/audit/export.${format}${asked === '' ? '' : `?${asked}`}`;
}
