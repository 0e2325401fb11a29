import type { Dashboard } from '../queries.ts';

/** Panels that have nothing to count in this range. */
export const isEmpty = {
  trends: ({ booking_trends: { series } }: Dashboard) =>
    Object.values(series).every((points) => points.every(({ y }) => y === null || y === 0)),
  slots: ({ popular_time_slots: { total } }: Dashboard) => total === 0,
  funnel: ({ funnel }: Dashboard) => funnel === null || funnel.stages.every(({ count }) => count === 0),
  sources: ({ meeting_sources: { total } }: Dashboard) => total === 0,
  people: ({ participant_insights: people }: Dashboard) => people.new_participants + people.repeat_participants === 0,
  forecast: ({ meeting_forecast: { forecast } }: Dashboard) => forecast === null,
  health: ({ calendar_health: health }: Dashboard) => health === null || health.sync_health_score === null,
  capacity: ({ capacity_utilization: { hours_open: open } }: Dashboard) => open === null || open === 0,
};
