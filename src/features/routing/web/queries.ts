import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { teamBookingEndpoints } from '#features/booking/rules/team-endpoints.ts';
import { formEndpoints } from '#features/routing/rules/form-endpoints.ts';
import { submissionEndpoints, type submissionFilters } from '#features/routing/rules/submission-endpoints.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { BookingId } from '#kernel/ids.ts';
import { inTurn } from '#ui/in-turn.ts';

const api = createClient({ ...formEndpoints, ...submissionEndpoints, listTakers: teamBookingEndpoints.listTakers });

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
export type Person = Output<typeof formEndpoints.listTargets>['people'][number];
export type Outcome = Output<typeof formEndpoints.testForm>;
export type Submission = Output<typeof submissionEndpoints.listSubmissions>['submissions'][number];
export type Fairness = Output<typeof submissionEndpoints.readFairness>;
export type SubmissionFilter = (typeof submissionFilters)[number];
type NewForm = CallInput<typeof formEndpoints.createForm>['body'];
type FormChange = CallInput<typeof formEndpoints.changeForm>['body'];
type Tried = CallInput<typeof formEndpoints.testForm>['body'];
type Rerouting = CallInput<typeof submissionEndpoints.reroute>['body'];

const listKey = ['routing', 'list'];
/**
 * Never refetched on its own: the form keeps its version while it is edited, and saving detects a change by somebody
 * else.
 */
export const formKey = (id: FormId) => ['routing-form', id];

export const useForms = () => useQuery({ queryKey: listKey, queryFn: ({ signal }) => api.listForms({}, { signal }) });

export const useForm = (id: FormId) =>
  useQuery({
    queryKey: formKey(id),
    queryFn: ({ signal }) => api.readForm({ params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Destinations of a form of this team, or of the caller. */
export const targetsQuery = (teamId: TeamId | null) =>
  queryOptions({
    queryKey: ['routing', 'targets', teamId],
    queryFn: ({ signal }) => api.listTargets({ query: teamId === null ? {} : { team_id: teamId } }, { signal }),
  });
export const useTargets = (teamId: TeamId | null) => useQuery(targetsQuery(teamId));

export const useTry = () => useMutation({ mutationFn: (body: Tried) => api.testForm({ body }) });

export const useSubmissions = (id: FormId, only: SubmissionFilter | undefined, after: Submission['id'] | undefined) =>
  useQuery({
    queryKey: ['routing', 'submissions', id, only, after],
    queryFn: ({ signal }) =>
      api.listSubmissions(
        {
          params: { id },
          query: { ...(only === undefined ? {} : { only }), ...(after === undefined ? {} : { after }) },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** Hosts who could take over the booking at its time. */
export const useTakers = (bookingId: BookingId | undefined) =>
  useQuery({
    queryKey: ['booking', 'takers', bookingId],
    queryFn: ({ signal }) => api.listTakers({ params: { booking_id: bookingId as BookingId } }, { signal }),
    enabled: bookingId !== undefined,
    staleTime: 0,
  });

export const useFairness = (eventTypeId: Target['event_type_id'] | undefined, from: number, to: number) =>
  useQuery({
    queryKey: ['routing', 'fairness', eventTypeId, from, to],
    queryFn: ({ signal }) =>
      api.readFairness({ query: { event_type_id: eventTypeId as Target['event_type_id'], from, to } }, { signal }),
    enabled: eventTypeId !== undefined,
    placeholderData: keepPreviousData,
  });

/** A call that changes routing; data on the screen is refetched. */
function useRoutingCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['routing'] }),
  });
}

export const useCreateForm = () => useRoutingCall((body: NewForm) => api.createForm({ body }));
export const useRestoreForm = () => useRoutingCall((id: FormId) => api.restoreForm({ params: { id } }));
export const useReroute = () =>
  useRoutingCall(({ id, body }: { id: Submission['id']; body: Rerouting }) =>
    api.reroute({ params: { submission_id: id }, body }),
  );

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
    ...inTurn(queryClient, 'routing', () => queryClient.invalidateQueries({ queryKey: ['routing'] })),
    onMutate: async (given) => {
      await queryClient.cancelQueries({ queryKey: listKey });
      const before = queryClient.getQueryData<FormList>(listKey);
      if (before) queryClient.setQueryData<FormList>(listKey, { ...before, forms: change(before.forms, given) });
      return before;
    },
    onError: (_error, _given, before) => queryClient.setQueryData(listKey, before),
  });
}

export function useSwitchForm() {
  const queryClient = useQueryClient();
  return useSeenAtOnce(
    async ({ id, active }: { id: FormId; active: boolean }) => {
      const { form } = await api.switchForm({ params: { id }, body: { active } });
      // the edited form stays as it is
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
