import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { calendarContract } from '#features/calendar/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { HoldId } from '#kernel/ids.ts';
import { holdsContract } from '../contract.ts';

const api = createClient(holdsContract);
const calendarApi = createClient(calendarContract);

export type Hold = Output<typeof holdsContract.readHold>['hold'];
export type HoldEntry = Output<typeof holdsContract.readHold>['history'][number];
export type NewHold = CallInput<typeof holdsContract.createHold>['body'];
export type HoldFields = Omit<NewHold, 'calendar_id' | 'hold_id'>;

export function useHold(holdId: string | null) {
  return useQuery({
    queryKey: ['holds', 'one', holdId],
    queryFn: ({ signal }) => api.readHold({ params: { hold_id: holdId as HoldId } }, { signal }),
    enabled: holdId !== null,
  });
}

export function useWritableCalendars() {
  const { data } = useQuery({
    queryKey: ['calendar', 'calendars'],
    queryFn: ({ signal }) => calendarApi.listCalendars(undefined, { signal }),
  });
  return data?.calendars.filter(({ writable }) => writable);
}

/** Changes of holds; what shows them asks again. */
export function useHoldCalls() {
  const queryClient = useQueryClient();
  const done = () =>
    Promise.all(['holds', 'edits', 'calendar'].map((part) => queryClient.invalidateQueries({ queryKey: [part] })));
  const act = useMutation({
    mutationFn: (call: () => Promise<{ hold: Hold }>) => call(),
    onSuccess: done,
  });
  const run = async (call: () => Promise<{ hold: Hold }>) => (await act.mutateAsync(call)).hold;
  return {
    isPending: act.isPending,
    create: (body: NewHold) => run(() => api.createHold({ body })),
    change: ({ hold_id, version }: Hold, changes: Partial<HoldFields>) =>
      run(() => api.changeHold({ params: { hold_id }, body: { version, changes } })),
    remove: ({ hold_id }: Hold) => run(() => api.removeHold({ params: { hold_id } })),
    restore: ({ hold_id }: Hold) => run(() => api.restoreHold({ params: { hold_id } })),
  };
}
