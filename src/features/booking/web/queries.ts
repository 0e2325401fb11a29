import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { availabilityContract } from '#features/availability/contract.ts';
import { bookingContract } from '#features/booking/contract.ts';
import { connectionsContract } from '#features/connections/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { inTurn } from '#ui/in-turn.ts';

const api = createClient(bookingContract);
const connectionsApi = createClient(connectionsContract);
const availabilityApi = createClient(availabilityContract);

type TypeList = Output<typeof bookingContract.listEventTypes>;
export type EventType = TypeList['event_types'][number];
export type TypeId = EventType['id'];
export type TeamTypes = TypeList['teams'][number];
type TeamId = TeamTypes['team_id'];
export type Settings = EventType['settings'];
export type NewType = CallInput<typeof bookingContract.createEventType>['body'];
export type TypeChange = CallInput<typeof bookingContract.changeEventType>['body'];
export type Handle = Output<typeof bookingContract.readHandle>;
export type BookingLink = Output<typeof bookingContract.listBookingLinks>['links'][number];
export type NewLink = CallInput<typeof bookingContract.createBookingLink>['body'];

const typesKey = ['booking', 'types'];
const handleKey = ['booking', 'handle'];
const linksKey = ['booking', 'links'];

export const useHandle = () =>
  useQuery({ queryKey: handleKey, queryFn: ({ signal }) => api.readHandle({}, { signal }) });

export const useTypes = () =>
  useQuery({ queryKey: typesKey, queryFn: ({ signal }) => api.listEventTypes({}, { signal }) });

export const useType = (id: TypeId) =>
  useQuery({
    queryKey: ['booking', 'type', id],
    queryFn: ({ signal }) => api.readEventType({ params: { id } }, { signal }),
    // the form keeps its version while it is edited; saving detects a change by somebody else
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Links that are hard to guess: of one event type, or all of the reader's. */
export const useLinks = (eventTypeId?: TypeId) =>
  useQuery({
    queryKey: [...linksKey, eventTypeId ?? 'all'],
    queryFn: ({ signal }) => api.listBookingLinks({ query: { event_type_id: eventTypeId } }, { signal }),
  });

/** Accounts and calendars, for what a meeting can be held with and where it is written. */
export function useCalendars() {
  const accounts = useQuery({
    queryKey: ['connections', 'accounts'],
    queryFn: ({ signal }) => connectionsApi.listAccounts({}, { signal }),
  });
  const calendars = useQuery({
    queryKey: ['connections', 'calendars'],
    queryFn: ({ signal }) => connectionsApi.listIntegrationCalendars({}, { signal }),
  });
  const emails = new Map(accounts.data?.accounts.map((account) => [account.accountId, account.email]));
  const providers = new Map(accounts.data?.accounts.map((account) => [account.accountId, account.provider]));
  const leaving = new Set(accounts.data?.accounts.flatMap((one) => (one.disconnecting ? [one.accountId] : [])));
  const standing = (calendars.data?.calendars ?? []).filter(
    (calendar) => !calendar.removed && !leaving.has(calendar.accountId),
  );
  return {
    isLoaded: accounts.data !== undefined && calendars.data !== undefined,
    /** Whether one of the calendars can be written and makes this meeting, where a provider makes it. */
    canHold: ({ kind, provider }: { kind: string; provider?: string }) =>
      provider === undefined ||
      standing.some(
        ({ accountId, writable, conferences }) =>
          writable && providers.get(accountId) === provider && (conferences?.some((one) => one === kind) ?? true),
      ),
    calendars: standing.map((calendar) => ({ ...calendar, account: emails.get(calendar.accountId) ?? '' })),
  };
}

/** Saved hours that an event type can follow. */
export function usePolicies() {
  const answer = useQuery({
    queryKey: ['availability', 'summary'],
    queryFn: ({ signal }) => availabilityApi.readAvailability({}, { signal }),
  });
  return answer.data?.policies ?? [];
}

export const checkHandle = (handle: string, signal: AbortSignal) => api.checkHandle({ query: { handle } }, { signal });

export function useChangeHandle() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (handle: string) => api.changeHandle({ body: { handle } }),
    onSuccess: (handle) => {
      queryClient.setQueryData<Handle>(handleKey, handle);
      return Promise.all([typesKey, linksKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
}

const blockedKey = ['booking', 'blocked-guests'];

export const useBlockedGuests = () =>
  useQuery({ queryKey: blockedKey, queryFn: ({ signal }) => api.readBlockedGuests({}, { signal }) });

export function useChangeBlockedGuests() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (entries: string[]) => api.changeBlockedGuests({ body: { entries } }),
    onSuccess: (blocked) => queryClient.setQueryData(blockedKey, blocked),
  });
}

/** A call that changes event types; the list is fetched again. */
function useTypeCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => queryClient.invalidateQueries({ queryKey: typesKey }),
  });
}

export const useCreateType = () => useTypeCall((body: NewType) => api.createEventType({ body }));
export const useChangeType = () =>
  useTypeCall(({ id, body }: { id: TypeId; body: TypeChange }) => api.changeEventType({ params: { id }, body }));
export const useDuplicateType = () => useTypeCall((id: TypeId) => api.duplicateEventType({ params: { id } }));
export const useRestoreType = () => useTypeCall((id: TypeId) => api.restoreEventType({ params: { id } }));

export interface Switches {
  hidden?: boolean;
  secret?: boolean;
  paused?: boolean;
}

/** Seen at once; taken back where the server refuses. */
function useSeenAtOnce<Given>(
  call: (given: Given) => Promise<unknown>,
  change: (list: EventType[], given: Given) => EventType[],
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    ...inTurn(queryClient, 'booking', () => queryClient.invalidateQueries({ queryKey: typesKey })),
    onMutate: async (given) => {
      await queryClient.cancelQueries({ queryKey: typesKey });
      const before = queryClient.getQueryData<TypeList>(typesKey);
      if (before)
        queryClient.setQueryData<TypeList>(typesKey, {
          event_types: change(before.event_types, given),
          teams: before.teams.map((team) => ({ ...team, event_types: change(team.event_types, given) })),
        });
      return before;
    },
    onError: (_error, _given, before) => queryClient.setQueryData(typesKey, before),
  });
}

export const useSwitchType = () =>
  useSeenAtOnce(
    ({ id, switches }: { id: TypeId; switches: Switches }) => api.switchEventType({ params: { id }, body: switches }),
    (list, { id, switches: { paused, ...rest } }) =>
      list.map((type) =>
        type.id === id
          ? { ...type, ...rest, settings: { ...type.settings, paused: paused ?? type.settings.paused } }
          : type,
      ),
  );

export const useDeleteType = () =>
  useSeenAtOnce(
    (id: TypeId) => api.deleteEventType({ params: { id } }),
    (list, id) => list.filter((type) => type.id !== id),
  );

export const useOrderTypes = () =>
  useSeenAtOnce(
    (body: { ids: TypeId[]; team_id?: TeamId }) => api.orderEventTypes({ body }),
    (list, { ids }) =>
      list.every(({ id }) => ids.includes(id)) ? ids.flatMap((id) => list.find((type) => type.id === id) ?? []) : list,
  );

export function useCreateLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewLink) => api.createBookingLink({ body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: linksKey }),
  });
}

export function useDeleteLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: BookingLink['id']) => api.deleteBookingLink({ params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: linksKey }),
  });
}
