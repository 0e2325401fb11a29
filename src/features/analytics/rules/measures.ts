/** The names of figures. Server, screens, and the command that recounts share them. */

/** Lines of Booking Trends, in their order. */
export const trendSeries = [
  'bookings_created',
  'meetings_held',
  'cancellations',
  'no_shows',
  'avg_lead_time_days',
] as const;
export type TrendSeries = (typeof trendSeries)[number];

export const granularities = ['day', 'week', 'month'] as const;
export type Granularity = (typeof granularities)[number];

export const perspectives = ['organizer', 'invitee'] as const;
export type Perspective = (typeof perspectives)[number];

/** Where a meeting came from: booked here, or the provider of the calendar that it was first in. */
export const meetingSources = ['direct', 'google', 'outlook', 'icloud', 'exchange', 'other'] as const;
export type MeetingSource = (typeof meetingSources)[number];

export const funnelStages = ['viewed', 'chosen', 'submitted', 'confirmed', 'held'] as const;
export type FunnelStage = (typeof funnelStages)[number];

/** Panels that can be explained and exported. */
export const panels = [
  'booking-trends',
  'popular-time-slots',
  'total-meetings',
  'no-show-rate',
  'avg-booking-time',
  'conversion-rate',
  'funnel',
  'calendar-health',
  'conflict-prevention',
  'meeting-sources',
  'capacity-utilization',
  'participant-insights',
  'meeting-forecast',
] as const;
export type Panel = (typeof panels)[number];

/** Shade of a cell by its part of the largest: 0 lightest to 4. Used by the heat of slots and of the forecast. */
export function shadeOf(ratio: number | null): 0 | 1 | 2 | 3 | 4 {
  if (ratio === null || !(ratio > 0.2)) return 0;
  return ratio > 0.8 ? 4 : ratio > 0.6 ? 3 : ratio > 0.4 ? 2 : 1;
}
