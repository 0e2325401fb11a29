import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formEndpoints } from '#features/routing/rules/form-endpoints.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';

const api = createClient(formEndpoints);

type FormList = Output<typeof formEndpoints.listForms>;
export type Form = FormList['forms'][number];
export type FormId = Form['id'];
export type Team = FormList['teams'][number];
export type TeamId = Team['team_id'];
export type WholeForm = Output<typeof formEndpoints.readForm>;
export type Definition = WholeForm['definition'];
export type Question = Definition['questions'][number];
export type Rule = Definition['rules'][number];
export type Condition = Rule['conditions'][number];
export type Action = Definition['fallback'];
export type Target = Output<typeof formEndpoints.listTargets>['targets'][number];
export type Outcome = Output<typeof formEndpoints.testForm>;
type NewForm = CallInput<typeof formEndpoints.createForm>['body'];
type FormChange = CallInput<typeof formEndpoints.changeForm>['body'];
type Tried = CallInput<typeof formEndpoints.testForm>['body'];

const listKey = ['routing', 'list'];
/** Not asked anew by itself: what is being edited stays as it was; saving tells whether somebody else changed it. */
export const formKey = (id: FormId) => ['routing-form', id];

export const useForms = () => useQuery({ queryKey: listKey, queryFn: ({ signal }) => api.listForms({}, { signal }) });

export const useForm = (id: FormId) =>
  useQuery({
    queryKey: formKey(id),
    queryFn: ({ signal }) => api.readForm({ params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** What a form of this team, or of whoever asks, can lead to. */
export const useTargets = (teamId: TeamId | null) =>
  useQuery({
    queryKey: ['routing', 'targets', teamId],
    queryFn: ({ signal }) => api.listTargets({ query: teamId === null ? {} : { team_id: teamId } }, { signal }),
  });

export const useTry = () => useMutation({ mutationFn: (body: Tried) => api.testForm({ body }) });

/** Any call that changes what is routed; what is on screen of it is asked for anew. */
function useRoutingCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['routing'] }),
  });
}

export const useCreateForm = () => useRoutingCall((body: NewForm) => api.createForm({ body }));
export const useRestoreForm = () => useRoutingCall((id: FormId) => api.restoreForm({ params: { id } }));
export const useChangeForm = () =>
  useRoutingCall(({ id, body }: { id: FormId; body: FormChange }) => api.changeForm({ params: { id }, body }));

/** Seen at once; taken back where the server refuses. */
function useSeenAtOnce<Given>(
  call: (given: Given) => Promise<unknown>,
  change: (list: Form[], given: Given) => Form[],
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onMutate: async (given) => {
      await queryClient.cancelQueries({ queryKey: listKey });
      const before = queryClient.getQueryData<FormList>(listKey);
      if (before) queryClient.setQueryData<FormList>(listKey, { ...before, forms: change(before.forms, given) });
      return before;
    },
    onError: (_error, _given, before) => queryClient.setQueryData(listKey, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['routing'] }),
  });
}

export function useSwitchForm() {
  const queryClient = useQueryClient();
  return useSeenAtOnce(
    async ({ id, active }: { id: FormId; active: boolean }) => {
      const { form } = await api.switchForm({ params: { id }, body: { active } });
      // what is being edited stays as it is
      queryClient.setQueryData<WholeForm>(
        formKey(id),
        (before) => before && { ...before, form: { ...before.form, active: form.active } },
      );
    },
    (list, { id, active }) => list.map((one) => (one.id === id ? { ...one, active } : one)),
  );
}
export const useDeleteForm = () =>
  useSeenAtOnce(
    (id: FormId) => api.deleteForm({ params: { id } }),
    (list, id) => list.filter((one) => one.id !== id),
  );
