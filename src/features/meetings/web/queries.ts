import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { meetingsContract } from '#features/meetings/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { ConsoleSearch } from './console-search.ts';

const api = createClient(meetingsContract);

export type MirrorRow = Output<typeof meetingsContract.listMeetings>['mirrors'][number];
export type AuditEntry = Output<typeof meetingsContract.readAudit>['logs'][number];

export function useMirrors({ status, search, page }: ConsoleSearch) {
  return useQuery({
    queryKey: ['meetings', 'mirrors', status, search, page],
    queryFn: ({ signal }) =>
      api.listMeetings(
        { query: { scope: 'mirrors', status, search, page: page ? String(page) : undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

/** The trail of one mirror, newest first. */
export function useAudit(mirrorId: string) {
  return useQuery({
    queryKey: ['meetings', 'audit', mirrorId],
    queryFn: ({ signal }) => api.readAudit({ params: { id: mirrorId } }, { signal }),
  });
}

export function useResyncMirrors() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (eventId: string) => api.resyncMirrors({ params: { eventId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  });
}

export function useRetryMirror() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mirrorId: string) => api.retryMirror({ params: { mirrorId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  });
}
