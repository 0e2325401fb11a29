import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bookingContract } from '#features/booking/contract.ts';
import { workflowEndpoints } from '#features/workflows/rules/workflow-endpoints.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { inTurn } from '#ui/in-turn.ts';

const api = createClient(workflowEndpoints);
const bookingApi = createClient(bookingContract);

type WorkflowList = Output<typeof workflowEndpoints.listWorkflows>;
export type Workflow = WorkflowList['workflows'][number];
export type WorkflowId = Workflow['id'];
export type Team = WorkflowList['teams'][number];
export type Version = Output<typeof workflowEndpoints.listWorkflowVersions>['versions'][number];
export type Definition = CallInput<typeof workflowEndpoints.changeWorkflow>['body']['definition'];
export type Step = Definition['steps'][number];
export type Action = Step['action'];
export type Run = Output<typeof workflowEndpoints.listWorkflowRuns>['runs'][number];
export type RunState = 'waiting' | 'done' | 'skipped' | 'dead';
type NewWorkflow = CallInput<typeof workflowEndpoints.createWorkflow>['body'];
type WorkflowChange = CallInput<typeof workflowEndpoints.changeWorkflow>['body'];
export type TriedStep = CallInput<typeof workflowEndpoints.previewStep>['body'];

const listKey = ['workflows', 'list'];

export const useWorkflows = () =>
  useQuery({ queryKey: listKey, queryFn: ({ signal }) => api.listWorkflows({}, { signal }) });

export const useWorkflow = (id: WorkflowId) =>
  useQuery({
    queryKey: ['workflow', id],
    queryFn: ({ signal }) => api.readWorkflow({ params: { id } }, { signal }),
    // the editor keeps its version; saving reports a change that somebody else made
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const useRuns = (id: WorkflowId, state: RunState | undefined) =>
  useInfiniteQuery({
    queryKey: ['workflows', 'runs', id, state],
    queryFn: ({ signal, pageParam }) =>
      api.listWorkflowRuns(
        {
          params: { id },
          query: { ...(state === undefined ? {} : { state }), ...(pageParam === null ? {} : { after: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: null as Run['id'] | null,
    getNextPageParam: ({ runs, more }) => (more ? runs.at(-1)?.id : undefined),
  });

export const useVersions = (id: WorkflowId) =>
  useQuery({
    queryKey: ['workflows', 'versions', id],
    queryFn: ({ signal }) => api.listWorkflowVersions({ params: { id } }, { signal }),
  });

export const useEventTypes = () =>
  useQuery({ queryKey: ['booking', 'types'], queryFn: ({ signal }) => bookingApi.listEventTypes({}, { signal }) });

export const usePreview = (step: TriedStep) =>
  useQuery({
    queryKey: ['workflows', 'preview', step],
    queryFn: ({ signal }) => api.previewStep({ body: step }, { signal }),
    // an account is still to be chosen
    enabled: !('credential_id' in step.action) || step.action.credential_id.length > 0,
    placeholderData: (before) => before,
    retry: false,
  });

/** A call that changes workflows; the list is fetched again. */
function useWorkflowCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['workflows'] }),
  });
}

export const useCreateWorkflow = () => useWorkflowCall((body: NewWorkflow) => api.createWorkflow({ body }));
export const useChangeWorkflow = () =>
  useWorkflowCall(({ id, body }: { id: WorkflowId; body: WorkflowChange }) =>
    api.changeWorkflow({ params: { id }, body }),
  );
export const useRestoreWorkflow = () => useWorkflowCall((id: WorkflowId) => api.restoreWorkflow({ params: { id } }));
export const useRetryRun = () => useWorkflowCall((id: Run['id']) => api.retryRun({ params: { run_id: id } }));
export const useTestStep = () => useMutation({ mutationFn: (body: TriedStep) => api.testStep({ body }) });
export const useAskAddress = () =>
  useMutation({ mutationFn: (address: string) => api.askAddress({ body: { address } }) });
export const useConfirmAddress = () =>
  useMutation({ mutationFn: (body: { address: string; code: string }) => api.confirmAddress({ body }) });

/** Seen at once; taken back where the server refuses. */
function useSeenAtOnce<Given>(
  call: (given: Given) => Promise<unknown>,
  change: (list: Workflow[], given: Given) => Workflow[],
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    ...inTurn(queryClient, 'workflows', () => queryClient.invalidateQueries({ queryKey: ['workflows'] })),
    onMutate: async (given) => {
      await queryClient.cancelQueries({ queryKey: listKey });
      const before = queryClient.getQueryData<WorkflowList>(listKey);
      if (before)
        queryClient.setQueryData<WorkflowList>(listKey, { ...before, workflows: change(before.workflows, given) });
      return before;
    },
    onError: (_error, _given, before) => queryClient.setQueryData(listKey, before),
  });
}

export const useSwitchWorkflow = () =>
  useSeenAtOnce(
    ({ id, active }: { id: WorkflowId; active: boolean }) => api.switchWorkflow({ params: { id }, body: { active } }),
    (list, { id, active }) => list.map((one) => (one.id === id ? { ...one, active } : one)),
  );
export const useDeleteWorkflow = () =>
  useSeenAtOnce(
    (id: WorkflowId) => api.deleteWorkflow({ params: { id } }),
    (list, id) => list.filter((one) => one.id !== id),
  );
