import { useQuery } from '@tanstack/react-query';
import { slotEndpoints } from '#features/booking/rules/slot-endpoints.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Question } from '#ui/explain.ts';

const sync = createClient(syncContract);
const calendar = createClient(calendarContract);
const slots = createClient(slotEndpoints);

export type SlotExplained = Output<typeof slotEndpoints.explainSlot>;
export type MirrorsExplained = Output<typeof syncContract.explainMirror>;
export type TargetExplained = MirrorsExplained['targets'][number];
export type MirrorReason = TargetExplained['reasons'][number];

export function useMirrorsExplained({ eventId, calendarId }: Extract<Question, { about: 'mirrors' }>) {
  const query = { event_id: eventId, calendar_id: calendarId };
  return useQuery({
    queryKey: ['sync', 'explain', query],
    queryFn: ({ signal }) => sync.explainMirror({ query }, { signal }),
  });
}

export function useBusyExplained(question: Extract<Question, { about: 'busy' }>) {
  const query = 'at' in question ? { at: question.at } : { event_id: question.eventId };
  return useQuery({
    queryKey: ['calendar', 'explain', query],
    queryFn: ({ signal }) => calendar.explainBusy({ query }, { signal }),
  });
}

/** `atMs` null: no time was chosen yet, and nothing is asked. */
export function useSlotExplained(eventTypeId: string, atMs: number | null) {
  return useQuery({
    queryKey: ['booking', 'explain', eventTypeId, atMs],
    queryFn: ({ signal }) =>
      slots.explainSlot({ query: { event_type_id: eventTypeId as EventTypeId, at: atMs ?? 0 } }, { signal }),
    enabled: atMs !== null,
    staleTime: 0, // refetched each time, to show the effect of a change
  });
}
