import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { billingContract } from '#features/billing/contract.ts';
import { countsAsCalendar } from '#features/billing/rules.ts';
import { connectionsContract } from '#features/connections/contract.ts';
import { teamsContract } from '#features/teams/contract.ts';
import { workflowEndpoints } from '#features/workflows/rules/workflow-endpoints.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(billingContract);
const connections = createClient(connectionsContract);
const teams = createClient(teamsContract);
const workflows = createClient(workflowEndpoints);

export type Billing = Output<typeof billingContract.readBilling>;
export type Plan = Billing['plans'][number];
export type Invoice = Billing['invoices'][number];

const key = ['billing', 'own'] as const;

export const useBilling = () => useQuery({ queryKey: key, queryFn: ({ signal }) => api.readBilling({}, { signal }) });

/** Current usage of everything that plans limit, as the server counts it. */
export const useUsage = () =>
  useQuery({
    queryKey: ['billing', 'usage'],
    queryFn: async ({ signal }) => {
      const [{ accounts }, mine, automatic] = await Promise.all([
        connections.listAccounts({}, { signal }),
        teams.listTeams({}, { signal }),
        workflows.listWorkflows({}, { signal }),
      ]);
      const owned = new Set<string | null>(mine.teams.filter(({ role }) => role === 'owner').map(({ id }) => id));
      return {
        calendars: accounts.filter((one) => countsAsCalendar(one) && !one.disconnecting).length,
        teams: owned.size,
        workflows: automatic.workflows.filter(({ team_id: team }) => team === null || owned.has(team)).length,
      };
    },
  });

function useAct<Wish>(act: (wish: Wish) => Promise<Billing>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: (billing) => queryClient.setQueryData(key, billing) });
}

export const useRefreshBilling = () => useAct(() => api.refreshBilling());
export const useChangePlan = () => useAct((plan: string) => api.changeSubscription({ body: { plan_key: plan } }));
export const useCancel = () => useAct(() => api.cancelSubscription());
export const useRedeem = () => useAct((code: string) => api.redeemCode({ body: { code } }));
export const useKeep = () => useAct(() => api.keepSubscription());

/** Leads to Stripe's checkout page. */
export const useCheckout = () =>
  useMutation({
    mutationFn: (plan: string) => api.startCheckout({ body: { plan_key: plan } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });

/** In a tab of its own. It is opened with the press, as browsers let nobody open one later, and led there then. */
export const useOpenPortal = () =>
  useMutation({
    mutationFn: async () => {
      const tab = window.open('', '_blank');
      try {
        const { url } = await api.openPortal();
        if (tab === null) window.location.assign(url);
        else {
          tab.opener = null;
          tab.location.replace(url);
        }
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
