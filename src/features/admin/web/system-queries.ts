import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { auditEndpoints } from '../rules/audit-endpoints.ts';
import { integrationEndpoints } from '../rules/integration-endpoints.ts';
import { overviewEndpoints } from '../rules/overview-endpoints.ts';
import { systemEndpoints } from '../rules/system-endpoints.ts';

const api = createClient({ ...systemEndpoints, ...integrationEndpoints, ...overviewEndpoints, ...auditEndpoints });

export type HealthView = Output<typeof systemEndpoints.readHealth>;
export type Integration = Output<typeof integrationEndpoints.readIntegrations>['integrations'][number];

export type Overview = Output<typeof overviewEndpoints.readOverview>;

/** Measured anew as often as the server does by itself; alerts come sooner, by the stream. */
const everyMs = 15_000;

export function useHealth() {
  return useQuery({
    queryKey: ['admin', 'health'],
    queryFn: ({ signal }) => api.readHealth({}, { signal }),
    refetchInterval: everyMs,
  });
}

export function useIntegrations() {
  return useQuery({
    queryKey: ['admin', 'integrations'],
    queryFn: ({ signal }) => api.readIntegrations({}, { signal }),
    refetchInterval: everyMs,
  });
}

export function useResync() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof integrationEndpoints.resync>['body']) => api.resync({ body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['admin', 'integrations'] }),
  });
}

const overviewKey = ['admin', 'overview'];

export function useOverview() {
  return useQuery({
    queryKey: overviewKey,
    queryFn: ({ signal }) => api.readOverview({}, { signal }),
    refetchInterval: everyMs,
  });
}

export function useCountNow() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.countNow({}),
    onSuccess: (overview) => queryClient.setQueryData(overviewKey, overview),
  });
}

/** What was done last; heard of by the stream. */
export function useRecentActs() {
  return useQuery({
    queryKey: ['audit', 'recent'],
    queryFn: async ({ signal }) => (await api.listAudit({ query: {} }, { signal })).entries.slice(0, recentShown),
  });
}

const recentShown = 6;
