import { bindRoutes } from '#platform/routes.ts';
import { chooseDigest } from './choose-digest.ts';
import { analyticsContract } from './contract.ts';
import { draftPopularHours } from './draft-popular-hours.ts';
import { exportPanel } from './export-panel.ts';
import { listFilters } from './list-filters.ts';
import { readDigest } from './read-digest.ts';
import { showDashboard } from './show-dashboard.ts';
import { showPanel } from './show-panel.ts';

export const routes = bindRoutes(analyticsContract, {
  bookingTrends: ({ app, actor, input }) => showPanel(app, actor, 'booking-trends', input.query),
  popularTimeSlots: ({ app, actor, input }) => showPanel(app, actor, 'popular-time-slots', input.query),
  totalMeetings: ({ app, actor, input }) => showPanel(app, actor, 'total-meetings', input.query),
  noShowRate: ({ app, actor, input }) => showPanel(app, actor, 'no-show-rate', input.query),
  avgBookingTime: ({ app, actor, input }) => showPanel(app, actor, 'avg-booking-time', input.query),
  conversionRate: ({ app, actor, input }) => showPanel(app, actor, 'conversion-rate', input.query),
  funnel: ({ app, actor, input }) => showPanel(app, actor, 'funnel', input.query),
  calendarHealth: ({ app, actor, input }) => showPanel(app, actor, 'calendar-health', input.query),
  conflictPrevention: ({ app, actor, input }) => showPanel(app, actor, 'conflict-prevention', input.query),
  meetingSources: ({ app, actor, input }) => showPanel(app, actor, 'meeting-sources', input.query),
  capacityUtilization: ({ app, actor, input }) => showPanel(app, actor, 'capacity-utilization', input.query),
  participantInsights: ({ app, actor, input }) => showPanel(app, actor, 'participant-insights', input.query),
  meetingForecast: ({ app, actor, input }) => showPanel(app, actor, 'meeting-forecast', input.query),
  dashboard: ({ app, actor, input }) => showDashboard(app, actor, input.query),
  listFilters: ({ app, actor }) => listFilters(app, actor),
  draftHours: ({ app, actor, input }) => draftPopularHours(app, actor, input.query),
  exportCsv: ({ app, actor, input }) => exportPanel(app, actor, input.query),
  readDigest: ({ app, actor }) => readDigest(app, actor),
  chooseDigest: ({ app, actor, input }) => chooseDigest(app, actor, input.body),
});
