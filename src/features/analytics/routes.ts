import { bindRoutes } from '#platform/routes.ts';
import { listFilters } from './analytics.ts';
import { analyticsContract } from './contract.ts';
import { getDigest, setDigest } from './digests.ts';
import { draftPopularHours } from './panels/bookings.ts';
import { exportPanel, getDashboard, getPanel } from './panels/panels.ts';

export const routes = bindRoutes(analyticsContract, {
  bookingTrends: ({ app, actor, input }) => getPanel(app, actor, 'booking-trends', input.query),
  popularTimeSlots: ({ app, actor, input }) => getPanel(app, actor, 'popular-time-slots', input.query),
  totalMeetings: ({ app, actor, input }) => getPanel(app, actor, 'total-meetings', input.query),
  noShowRate: ({ app, actor, input }) => getPanel(app, actor, 'no-show-rate', input.query),
  avgBookingTime: ({ app, actor, input }) => getPanel(app, actor, 'avg-booking-time', input.query),
  conversionRate: ({ app, actor, input }) => getPanel(app, actor, 'conversion-rate', input.query),
  funnel: ({ app, actor, input }) => getPanel(app, actor, 'funnel', input.query),
  calendarHealth: ({ app, actor, input }) => getPanel(app, actor, 'calendar-health', input.query),
  conflictPrevention: ({ app, actor, input }) => getPanel(app, actor, 'conflict-prevention', input.query),
  meetingSources: ({ app, actor, input }) => getPanel(app, actor, 'meeting-sources', input.query),
  capacityUtilization: ({ app, actor, input }) => getPanel(app, actor, 'capacity-utilization', input.query),
  participantInsights: ({ app, actor, input }) => getPanel(app, actor, 'participant-insights', input.query),
  meetingForecast: ({ app, actor, input }) => getPanel(app, actor, 'meeting-forecast', input.query),
  dashboard: ({ app, actor, input }) => getDashboard(app, actor, input.query),
  listFilters: ({ app, actor }) => listFilters(app, actor),
  draftHours: ({ app, actor, input }) => draftPopularHours(app, actor, input.query),
  exportCsv: ({ app, actor, input }) => exportPanel(app, actor, input.query),
  readDigest: ({ app, actor }) => getDigest(app, actor),
  chooseDigest: ({ app, actor, input }) => setDigest(app, actor, input.body),
});
