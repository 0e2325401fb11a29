import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { calendarContract } from '#features/calendar/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { availabilityContract } from '../contract.ts';

const api = createClient(availabilityContract);
const calendarApi = createClient(calendarContract);

export type Availability = Output<typeof availabilityContract.readAvailability>;
export type Policy = Availability['policies'][number];
export type Hold = Availability['holds'][number];
type Body<Name extends keyof typeof availabilityContract> = NonNullable<
  CallInput<(typeof availabilityContract)[Name]> extends { body: infer Given } ? Given : never
>;

const availabilityQuery = queryOptions({
  queryKey: ['availability', 'hours'],
  queryFn: ({ signal }) => api.readAvailability({}, { signal }),
});

export function useAvailability() {
  return useQuery(availabilityQuery);
}

/** As the server has it at this moment, whatever is on screen. */
export function useFetchAvailability() {
  const queryClient = useQueryClient();
  return () => queryClient.fetchQuery({ ...availabilityQuery, staleTime: 0 });
}

/** Every change is answered with how all of it stands then. */
function useChange<Wish>(call: (wish: Wish) => Promise<Availability>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: (after) => {
      queryClient.setQueryData(availabilityQuery.queryKey, after);
      return Promise.all(
        ['check', 'open', 'outside'].map((part) => queryClient.invalidateQueries({ queryKey: ['availability', part] })),
      );
    },
  });
}

export const useCreatePolicy = () => useChange((body: Body<'createPolicy'>) => api.createPolicy({ body }));
export const useSavePolicy = () =>
  useChange(({ policyId, ...body }: Body<'savePolicy'> & { policyId: string }) =>
    api.savePolicy({ params: { policyId }, body }),
  );
export const useApplyPolicy = () =>
  useChange(({ policyId, from }: { policyId: string; from: string | null }) =>
    api.applyPolicy({ params: { policyId }, body: { from } }),
  );
export const useCancelSwitch = () => useChange((from: string) => api.cancelSwitch({ params: { from } }));
export const useRollBack = () =>
  useChange(({ policyId, ...body }: Body<'rollBackPolicy'> & { policyId: string }) =>
    api.rollBackPolicy({ params: { policyId }, body }),
  );
export const useDeletePolicy = () => useChange((policyId: string) => api.deletePolicy({ params: { policyId } }));
export const useAddDaysOff = () => useChange((body: Body<'addDaysOff'>) => api.addDaysOff({ body }));
export const useRemoveDaysOff = () => useChange((id: string) => api.removeDaysOff({ params: { id } }));
export const useAddTravel = () => useChange((body: Body<'addTravel'>) => api.addTravel({ body }));
export const useRemoveTravel = () => useChange((id: string) => api.removeTravel({ params: { id } }));
export const useSetHolidays = () => useChange((body: Body<'setHolidays'>) => api.setHolidays({ body }));
export const useSetHold = () => useChange((body: Body<'setHold'>) => api.setHold({ body }));
export const useRemoveHold = () => useChange((id: string) => api.removeHold({ params: { id } }));

export function useVersions(policyId: string) {
  return useQuery({
    queryKey: ['availability', 'versions', policyId],
    queryFn: ({ signal }) => api.listVersions({ params: { policyId } }, { signal }),
  });
}

export function useCountries() {
  return useQuery({
    queryKey: ['availability', 'countries'],
    queryFn: ({ signal }) => api.listHolidayCountries({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Calendars that can be flagged as holds. */
export function useCalendars() {
  return useQuery({
    queryKey: ['calendar', 'for-holds'],
    queryFn: ({ signal }) => calendarApi.listCalendars({}, { signal }),
  });
}

/** The state of the user's calendars in these windows: `conflict` if anything blocks them. */
export function useWindows(windows: readonly { start: string; end: string }[]) {
  return useQuery({
    queryKey: ['availability', 'check', windows],
    enabled: windows.length > 0,
    queryFn: async ({ signal }) => {
      const checks = await Promise.all(
        windows.map(({ start, end }) =>
          calendarApi.checkAvailability({ query: { start_time: start, end_time: end } }, { signal }),
        ),
      );
      return {
        conflicts: checks.flatMap((check) => check.conflicts),
        holds: checks.flatMap((check) => check.priority_conflicts),
      };
    },
  });
}
