import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { billingContract } from '#features/billing/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { useReauthentication } from '#ui/reauthentication.tsx';

const api = createClient(billingContract);

export type Plan = Output<typeof billingContract.listPlans>['plans'][number];
export type PlanChange = CallInput<typeof billingContract.changePlan>['body'];

export type Code = Output<typeof billingContract.listCodes>['codes'][number];

const codesKey = ['admin', 'billing', 'codes'];
const plansKey = ['admin', 'billing', 'plans'];

export const usePlans = () => useQuery({ queryKey: plansKey, queryFn: ({ signal }) => api.listPlans({}, { signal }) });

export const useInvoices = () =>
  useInfiniteQuery({
    queryKey: ['admin', 'billing', 'invoices'],
    queryFn: ({ signal, pageParam }) =>
      api.listAllInvoices({ query: pageParam === undefined ? {} : { before: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export function useChangePlan() {
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: ({ planKey, body }: { planKey: string; body: PlanChange }) =>
      withProof(() => api.changePlan({ params: { planKey }, body })),
    onSuccess: (plans) => queryClient.setQueryData(plansKey, plans),
  });
}

export const useFindTrial = () => useMutation({ mutationFn: (email: string) => api.findTrial({ query: { email } }) });

export function useExtendTrial() {
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (body: { email: string; ends_at: number; reason: string }) =>
      withProof(() => api.extendTrial({ body })),
  });
}

export const useCodes = () => useQuery({ queryKey: codesKey, queryFn: ({ signal }) => api.listCodes({}, { signal }) });

function useCodeAct<Body>(act: (body: Body) => Promise<Output<typeof billingContract.listCodes>>) {
  const queryClient = useQueryClient();
  const withProof = useReauthentication();
  return useMutation({
    mutationFn: (body: Body) => withProof(() => act(body)),
    onSuccess: (codes) => queryClient.setQueryData(codesKey, codes),
  });
}

export const useCreateCode = () =>
  useCodeAct((body: CallInput<typeof billingContract.createCode>['body']) => api.createCode({ body }));
export const useEndCode = () =>
  useCodeAct((body: CallInput<typeof billingContract.endCode>['body']) => api.endCode({ body }));
