import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { sessionEndpoints } from '#features/accounts/rules/session-endpoints.ts';
import { availabilityContract } from '#features/availability/contract.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient, urlOf } from '#kernel/contract-client.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { analyticsContract } from '../contract.ts';
import type { Panel, Perspective } from '../rules/measures.ts';
import { dateOf, dayOf } from '../rules/period.ts';
import { type DashboardSearch, usualPeriod } from './dashboard-search.ts';

const api = createClient(analyticsContract);
const accounts = createClient(sessionEndpoints);
const availability = createClient(availabilityContract);

type Answer = Output<typeof analyticsContract.dashboard>;
export type Dashboard = Answer['data'];
export type Explanation = NonNullable<Output<typeof analyticsContract.totalMeetings>['explain']>;
export type Filters = Output<typeof analyticsContract.listFilters>;
export type Draft = Output<typeof analyticsContract.draftHours>;
/** The query that all panels share. */
export type Asked = Omit<NonNullable<CallInput<typeof analyticsContract.totalMeetings>['query']>, 'explain'>;

export const daysOf = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 };

/** The days of a period, today the last of them, and what narrows it. */
export function askedBy(search: DashboardSearch, zone: string, nowMs: number): Asked {
  const today = dayOf(loadZone(zone) ?? utc, nowMs);
  const { type, team, member, source, calendar } = search;
  return {
    from: dateOf(today + 1 - daysOf[search.period ?? usualPeriod]),
    to: dateOf(today + 1),
    zone,
    ...(type ? { event_type_id: [type] as never } : {}),
    ...(team ? { team_id: team as never } : {}),
    ...(member ? { member_id: member as never } : {}),
    ...(source ? { source } : {}),
    ...(calendar ? { calendar_id: calendar as never } : {}),
  };
}

/** How popular hours are read, where not by the clock of the hosts. */
export interface SlotView {
  perspective?: Perspective;
  timezone?: string;
}

export const slotViewOf = ({ perspective, timezone }: DashboardSearch): SlotView => ({
  ...(perspective ? { perspective } : {}),
  ...(timezone ? { timezone } : {}),
});

const hasView = (view: SlotView) => Object.keys(view).length > 0;

function byDates<Given extends Asked>({ from, to, ...rest }: Given) {
  return { ...rest, ...(from ? { start_date: from } : {}), ...(to ? { end_date: to } : {}) };
}

/** All panels in one answer; what another period showed stands until this one's comes. */
export function useDashboard(asked: Asked) {
  return useQuery({
    queryKey: ['analytics', 'dashboard', asked],
    queryFn: ({ signal }) => api.dashboard({ query: asked }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Popular hours by another clock than the usual one. */
export function useSlots(asked: Asked, view: SlotView) {
  return useQuery({
    queryKey: ['analytics', 'slots', asked, view],
    queryFn: ({ signal }) => api.popularTimeSlots({ query: { ...byDates(asked), ...view } }, { signal }),
    enabled: hasView(view),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Conflicts prevented this month, whatever the period. */
export function useMonth({ from: _from, to: _to, ...filters }: Asked) {
  return useQuery({
    queryKey: ['analytics', 'month', filters],
    queryFn: ({ signal }) => api.conflictPrevention({ query: filters }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function useFilters() {
  return useQuery({
    queryKey: ['analytics', 'filters'],
    queryFn: ({ signal }) => api.listFilters({}, { signal }),
    staleTime: 5 * 60_000,
  });
}

type Explained = { explain?: Explanation | undefined };
type Explaining = Asked & { explain: '1' };

const explainers: Record<Panel, (asked: Explaining, view: SlotView, signal: AbortSignal) => Promise<Explained>> = {
  'booking-trends': (asked, _view, signal) => api.bookingTrends({ query: byDates(asked) }, { signal }),
  'popular-time-slots': (asked, view, signal) =>
    api.popularTimeSlots({ query: { ...byDates(asked), ...view } }, { signal }),
  'total-meetings': (query, _view, signal) => api.totalMeetings({ query }, { signal }),
  'no-show-rate': (query, _view, signal) => api.noShowRate({ query }, { signal }),
  'avg-booking-time': (query, _view, signal) => api.avgBookingTime({ query }, { signal }),
  'conversion-rate': (query, _view, signal) => api.conversionRate({ query }, { signal }),
  funnel: (query, _view, signal) => api.funnel({ query }, { signal }),
  'calendar-health': (query, _view, signal) => api.calendarHealth({ query }, { signal }),
  'conflict-prevention': (query, _view, signal) => api.conflictPrevention({ query }, { signal }),
  'meeting-sources': (query, _view, signal) => api.meetingSources({ query }, { signal }),
  'capacity-utilization': (query, _view, signal) => api.capacityUtilization({ query }, { signal }),
  'participant-insights': (query, _view, signal) => api.participantInsights({ query }, { signal }),
  'meeting-forecast': (query, _view, signal) => api.meetingForecast({ query }, { signal }),
};

/** The definition of a figure, and its rows. */
export function useExplanation(panel: Panel, asked: Asked, view: SlotView) {
  return useQuery({
    queryKey: ['analytics', 'rows', panel, asked, view],
    queryFn: ({ signal }) => explainers[panel]({ ...asked, explain: '1' }, view, signal),
  });
}

/** Where the figures of a panel, or their rows, are downloaded. */
export function csvAddress(panel: Panel, asked: Asked, view: SlotView, rows: boolean): string {
  return urlOf(analyticsContract.exportCsv, { query: { ...asked, ...view, panel, ...(rows ? { rows: '1' } : {}) } });
}

export function useDraft({ from, to, event_type_id: types }: Asked, view: SlotView) {
  return useQuery({
    queryKey: ['analytics', 'draft', from, to, types, view],
    queryFn: ({ signal }) =>
      api.draftHours(
        {
          query: {
            ...view,
            ...(from ? { start_date: from } : {}),
            ...(to ? { end_date: to } : {}),
            ...(types ? { event_type_id: types } : {}),
          },
        },
        { signal },
      ),
    gcTime: 0,
  });
}

/** Saves a draft: as the next version of what holds, or as the first policy. */
export function useSaveDraft() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, name, note }: { draft: Draft; name: string; note: string }) =>
      draft.policy_id === null
        ? availability.createPolicy({ body: { name, hours: draft.after, note, apply: true } })
        : availability.savePolicy({
            params: { policyId: draft.policy_id },
            body: { version: draft.version, name: draft.name ?? name, hours: draft.after, note },
          }),
    onSuccess: () =>
      Promise.all(
        ['availability', 'analytics'].map((feature) => queryClient.invalidateQueries({ queryKey: [feature] })),
      ),
  });
}

const digestQuery = queryOptions({
  queryKey: ['analytics', 'digest'],
  queryFn: ({ signal }) => api.readDigest({}, { signal }),
});

export const useDigest = () => useQuery(digestQuery);

export function useChooseDigest() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (weekly: boolean) => api.chooseDigest({ body: { weekly } }),
    onSuccess: (chosen) => queryClient.setQueryData(digestQuery.queryKey, chosen),
  });
}

/** The name of the signed-in person. */
export function useOwnName(): string | undefined {
  const profile = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => accounts.readAccountProfile({}, { signal }),
    staleTime: 5 * 60_000,
  });
  return profile.data === undefined ? undefined : profile.data.name || profile.data.email.split('@')[0];
}
