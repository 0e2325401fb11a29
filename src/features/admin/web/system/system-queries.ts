import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { auditEndpoints } from '../../audit/contract.ts';
import { systemEndpoints } from '../../health/contract.ts';
import { integrationEndpoints } from '../../integrations/contract.ts';
import { overviewEndpoints } from '../../overview/contract.ts';

const api = createClient({ ...systemEndpoints, ...integrationEndpoints, ...overviewEndpoints, ...auditEndpoints });

export type HealthView = Output<typeof systemEndpoints.readHealth>;
export type Integration = Output<typeof integrationEndpoints.readIntegrations>['integrations'][number];

export type Overview = Output<typeof overviewEndpoints.readOverview>;

/** Interval of refetches, equal to the server's; alerts arrive sooner, by live update. */
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

/** Recent activity, kept current by live updates. */
export function useRecentActs() {
  return useQuery({
    queryKey: ['audit', 'recent'],
    queryFn: async ({ signal }) => (await api.listAudit({ query: {} }, { signal })).entries.slice(0, recentShown),
  });
}

const recentShown = 6;
