/**
 * Owns: facts about bookings and visits as they are counted, their daily sums, and every figure made from them.
 * Announces: nothing; open browsers hear the topics of what is counted.
 * Never: guesses: what is not known is null, and each figure can be opened to the rows that make it.
 */
import * as z from 'zod/mini';
import { hoursShape, zoneName } from '#features/availability/rules/hours.ts';
import { fileAnswer, id, queryList } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import type { CalendarId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import { funnelStages, granularities, meetingSources, panels, perspectives, trendSeries } from './rules/measures.ts';

const eventTypeId = id<'event-type'>() as z.ZodMiniType<EventTypeId, string>;
const teamId = id<'team'>() as z.ZodMiniType<TeamId, string>;
const userId = id<'user'>() as z.ZodMiniType<UserId, string>;
const calendarId = id<'calendar'>() as z.ZodMiniType<CalendarId, string>;
const day = z.iso.date({ error: 'Expected a date such as 2027-03-08' });
const instant = z.iso.datetime();
const count = z.int();
const one = z.literal('1');

/** Filters of every call. A range names the day after its last one. Without a range: the last 30 days, today included. */
const filters = {
  event_type_id: z.optional(queryList(eventTypeId, 50)),
  team_id: z.optional(teamId), // bookings of the team, for members who may see them; without: the caller's own
  member_id: z.optional(userId), // with team_id
  source: z.optional(z.enum(meetingSources)), // bookings made here are direct
  calendar_id: z.optional(calendarId),
  zone: z.optional(zoneName), // where days begin; the caller's unless given
};
const explained = { ...filters, explain: z.optional(one) }; // with definition and rows
const range = { from: z.optional(day), to: z.optional(day) };
const dates = { start_date: z.optional(day), end_date: z.optional(day) };
const slotView = {
  timezone: z.optional(zoneName), // for the hours; organizer: the host's unless given; invitee: for guests without a zone
  perspective: z.optional(z.enum(perspectives)),
};

const rangeShape = z.strictObject({
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  previous: z.strictObject({ from: z.string(), to: z.string() }),
});

export const explanationShape = z.strictObject({
  definition: z.string(),
  numerator: z.nullable(z.number()), // null: not known, or no such thing
  denominator: z.nullable(z.number()), // null: the figure is no rate
  /** The newest of them, at most 500. With `rest` they add up to the figure. */
  rows: z.array(
    z.strictObject({
      kind: z.enum(['booking', 'meeting', 'visit', 'prevention', 'calendar', 'day', 'mirror']),
      id: z.string(),
      /** The booking or event behind the row, if the caller may open it. */
      booking_id: z.nullable(z.string()),
      event_id: z.nullable(z.string()),
      /** Null where the caller may not see it. */
      title: z.nullable(z.string()),
      with: z.nullable(z.string()),
      at: z.nullable(instant),
      /** Which part of the figure: a line of a chart, a source, a domain, an hour, a stage. */
      part: z.string(),
      numerator: z.number(),
      denominator: z.number(),
    }),
  ),
  rest: z.strictObject({ rows: count, numerator: z.number(), denominator: z.number() }), // rows beyond the limit
});

/** One shape for all: the figures are `data`. The specification's text has the trends' beside it; here none is. */
const answerOf = <Data extends z.ZodMiniType>(data: Data) =>
  z.strictObject({ data, range: rangeShape, explain: z.optional(explanationShape) });

const pointShape = z.strictObject({ x: z.string(), y: z.nullable(z.number()) });
const trendsShape = z.strictObject({
  series: z.strictObject(
    Object.fromEntries(trendSeries.map((name) => [name, z.array(pointShape)])) as Record<
      (typeof trendSeries)[number],
      z.ZodMiniArray<typeof pointShape>
    >,
  ),
  granularity: z.enum(granularities),
  total_events: count, // sum of bookings_created
  previous_total_events: count,
  delta_pct: z.nullable(z.number()), // null: there were none before, "new"
});

const hourCount = z.strictObject({ hour: z.int(), count });
const slotsShape = z.strictObject({
  heatmap: z.array(z.array(hourCount)), // Monday to Sunday, 24 each
  hour_histogram: z.array(hourCount),
  top_slots: z.array(hourCount), // at most 3
  total: count,
  timezone: z.string(),
  perspective: z.enum(perspectives),
});

const totalShape = z.strictObject({
  value: count,
  delta_pct: z.nullable(z.number()),
  previous: count,
  held: count, // by start in the range
  upcoming: count, // part of `value`
});
const rate = {
  value_pct: z.nullable(z.number()), // null: the denominator is 0
  numerator: count,
  denominator: count,
  previous_pct: z.nullable(z.number()),
  delta_pct: z.nullable(z.number()), // in percentage points
};
const noShowShape = z.strictObject({ ...rate, host_no_shows: count });
const bookingTimeShape = z.strictObject({
  value_days: z.nullable(z.number()),
  previous_days: z.nullable(z.number()),
  delta_days: z.nullable(z.number()),
  bookings: count,
});
const conversionShape = z.nullable(z.strictObject(rate)); // null: visits were not recorded then, or are of no member or calendar
const funnelShape = z.nullable(
  z.strictObject({ stages: z.array(z.strictObject({ stage: z.enum(funnelStages), count, previous: count })) }),
);
const healthShape = z.strictObject({
  total_connected: count,
  sync_health_score: z.nullable(z.int()), // null: no calendars
  connected_calendars: z.array(
    z.strictObject({
      calendar_id: z.string(),
      name: z.string(),
      provider: z.string(), // google, outlook, icloud, exchange, …
      account: z.string(), // three signs and asterisks
      status: z.enum(['ok', 'syncing', 'error']),
      last_sync_sec: z.nullable(z.int()),
      score: z.int(),
      weight: z.int(),
      parts: z.strictObject({
        freshness: z.number(),
        mirrors: z.number(),
        errors: z.number(),
        push: z.number(),
        access: z.boolean(),
      }),
    }),
  ),
});
const preventionShape = z.strictObject({
  conflicts_prevented: count,
  conflicts_last_period: count,
  rejected: count,
  masked: count,
  mirrored_slots_pct: z.nullable(z.number()), // null: no mirrors
  mirrored_minutes: count,
  required_minutes: count,
});
const sourcesShape = z.strictObject({
  sources: z.array(z.strictObject({ source: z.enum(meetingSources), label: z.string(), count })),
  total: count,
  previous_total: z.nullable(count),
  since: z.nullable(z.string()), // the first day whose events are still known, where the range begins before it
});
const capacityShape = z.strictObject({
  hours_open: z.nullable(z.number()),
  hours_available: z.nullable(z.number()),
  hours_booked: z.nullable(z.number()),
  utilization_pct: z.nullable(z.number()), // null: never open
  previous_pct: z.nullable(z.number()),
  since: z.nullable(z.string()),
});
const participantsShape = z.strictObject({
  top_domains: z.array(z.strictObject({ domain: z.string(), meetings: count })), // at most 5
  new_participants: count,
  repeat_participants: count,
  previous_participants: count,
});
const forecastShape = z.strictObject({
  /** Null: not available yet. */
  forecast: z.nullable(
    z.array(
      z.strictObject({
        date: z.string(),
        expected_meetings: z.number(),
        scheduled: count,
        ratio: z.number(), // share of the largest; 0 where all are 0
        busy: z.boolean(),
      }),
    ),
  ),
  busy_days: count,
});

const dashboardShape = z.strictObject({
  booking_trends: trendsShape,
  popular_time_slots: slotsShape,
  total_meetings: totalShape,
  no_show_rate: noShowShape,
  avg_booking_time: bookingTimeShape,
  conversion_rate: conversionShape,
  funnel: funnelShape,
  calendar_health: z.nullable(healthShape), // null: of a team
  conflict_prevention: preventionShape,
  meeting_sources: sourcesShape,
  capacity_utilization: capacityShape,
  participant_insights: participantsShape,
  meeting_forecast: forecastShape,
});

const errors = ['RANGE', 'MEMBER_WITHOUT_TEAM', 'PLAN_LIMIT'] as const;
const byDates = z.strictObject({ ...dates, ...explained });
const byRange = z.strictObject({ ...range, ...explained });

const figure = <Query extends z.ZodMiniType, Data extends z.ZodMiniType>(
  path: `/analytics/${string}`,
  summary: string,
  query: Query,
  data: Data,
) => endpoint({ method: 'GET', path, auth: 'user', summary, query, output: answerOf(data), errors });

export const analyticsContract = {
  bookingTrends: figure(
    '/analytics/booking-trends',
    'Bookings over time: by day up to 31 days, by ISO week up to 180, otherwise by month',
    byDates,
    trendsShape,
  ),
  popularTimeSlots: figure(
    '/analytics/popular-time-slots',
    'Start times of meetings, by hour, and by weekday and hour',
    z.strictObject({ ...dates, ...explained, ...slotView }),
    slotsShape,
  ),
  totalMeetings: figure('/analytics/kpi/total-meetings', 'Number of bookings', byRange, totalShape),
  noShowRate: figure('/analytics/kpi/no-show-rate', 'Rate of guest no-shows', byRange, noShowShape),
  avgBookingTime: figure(
    '/analytics/kpi/avg-booking-time',
    'Average time from booking to start',
    byRange,
    bookingTimeShape,
  ),
  conversionRate: figure(
    '/analytics/kpi/conversion-rate',
    'Rate of visitors who chose a time and were confirmed',
    byRange,
    conversionShape,
  ),
  funnel: figure('/analytics/funnel', 'Steps from a page view to a meeting', byRange, funnelShape),
  calendarHealth: figure(
    '/analytics/calendar-health',
    'Current health of the caller’s calendars',
    byRange,
    z.nullable(healthShape),
  ),
  conflictPrevention: figure(
    '/analytics/conflict-prevention',
    'Prevented double bookings. Without a range, this month, compared with the last one up to the same day',
    byRange,
    preventionShape,
  ),
  meetingSources: figure('/analytics/meeting-sources', 'Sources of meetings', byRange, sourcesShape),
  capacityUtilization: figure(
    '/analytics/capacity-utilization',
    'Share of open hours that is booked',
    byRange,
    capacityShape,
  ),
  participantInsights: figure('/analytics/participant-insights', 'People the caller meets', byRange, participantsShape),
  meetingForecast: figure('/analytics/meeting-forecast', 'Forecast for the next 14 days', byRange, forecastShape),
  dashboard: endpoint({
    method: 'GET',
    path: '/analytics/dashboard',
    auth: 'user',
    summary: 'All panels in one response, each as in its own call. Conflicts are those of the range',
    query: z.strictObject({ ...range, ...filters, ...slotView }),
    output: z.strictObject({ data: dashboardShape, range: rangeShape }),
    errors,
  }),
  listFilters: endpoint({
    method: 'GET',
    path: '/analytics/filters',
    auth: 'user',
    summary: 'Available filters',
    output: z.strictObject({
      zone: z.string(),
      /** Days before today that figures go back with the plan; null: all that was recorded. */
      history_days: z.nullable(z.int()),
      event_types: z.array(
        z.strictObject({ event_type_id: z.string(), title: z.string(), team_id: z.nullable(z.string()) }),
      ),
      teams: z.array(
        z.strictObject({
          team_id: z.string(),
          name: z.string(),
          history_days: z.nullable(z.int()), // with its owner's plan
          members: z.array(z.strictObject({ user_id: z.string(), name: z.string() })),
        }),
      ),
      calendars: z.array(z.strictObject({ calendar_id: z.string(), name: z.string(), provider: z.string() })),
    }),
  }),
  draftHours: endpoint({
    method: 'GET',
    path: '/analytics/popular-time-slots/draft',
    auth: 'user',
    summary: 'Hours of the caller plus popular closed hours. Nothing is saved',
    query: z.strictObject({ ...dates, ...slotView, event_type_id: filters.event_type_id }),
    output: z.strictObject({
      policy_id: z.nullable(z.string()), // the default; null: none was ever saved
      name: z.nullable(z.string()),
      version: z.int(),
      before: hoursShape,
      after: hoursShape,
      /** An hour of a weekday, in the zone of the hours. */
      added: z.array(z.strictObject({ weekday: z.string(), hour: z.int(), count })),
    }),
    errors: ['RANGE', 'PLAN_LIMIT'],
  }),
  exportCsv: endpoint({
    method: 'GET',
    path: '/analytics/export.csv',
    auth: 'user',
    summary: 'Figures of a panel, or with `rows=1` their rows, as CSV (UTF-8, RFC 4180)',
    query: z.strictObject({
      ...range,
      ...filters,
      ...slotView,
      panel: z.enum(panels),
      rows: z.optional(one),
    }),
    output: fileAnswer,
    sendsFile: 'text/csv; charset=utf-8',
    errors,
  }),
  readDigest: endpoint({
    method: 'GET',
    path: '/analytics/digest',
    auth: 'user',
    summary: 'Set whether the caller gets a weekly email. Off by default',
    /** available: whether the operator has it switched on for the caller. */
    output: z.strictObject({ weekly: z.boolean(), available: z.boolean() }),
  }),
  chooseDigest: endpoint({
    method: 'PUT',
    path: '/analytics/digest',
    auth: 'user',
    summary: 'Turn the weekly email on or off',
    body: z.strictObject({ weekly: z.boolean() }),
    output: z.strictObject({ weekly: z.boolean(), available: z.boolean() }),
    errors: ['SWITCHED_OFF'],
  }),
};
