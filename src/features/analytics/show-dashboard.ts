import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { analyticsContract } from './contract.ts';
import { loadFigures } from './load-figures.ts';
import { loadStages } from './panels/load-stages.ts';
import { showBookingTime } from './panels/show-booking-time.ts';
import { showCapacity } from './panels/show-capacity.ts';
import { showConflicts } from './panels/show-conflicts.ts';
import { showConversion } from './panels/show-conversion.ts';
import { showForecast } from './panels/show-forecast.ts';
import { showFunnel } from './panels/show-funnel.ts';
import { showHealth } from './panels/show-health.ts';
import { showNoShows } from './panels/show-no-shows.ts';
import { showParticipants } from './panels/show-participants.ts';
import { showSlots } from './panels/show-slots.ts';
import { showSources } from './panels/show-sources.ts';
import { showTotal } from './panels/show-total.ts';
import { showTrends } from './panels/show-trends.ts';
import { type Asked, readQuestion } from './read-question.ts';
import { showRange } from './show-range.ts';

/** Every panel in one answer; as many statements whatever is in them, and what several need is read once. */
export async function showDashboard(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  asked: Asked,
): Promise<Output<typeof analyticsContract.dashboard>> {
  const question = await readQuestion(app, actor, asked);
  const figures = loadFigures(app.db, question);
  const [stages, trends, slots, total, noShows, bookingTime, health, conflicts, sources, capacity, people, forecast] =
    await Promise.all([
      loadStages(figures),
      showTrends(figures),
      showSlots(figures),
      showTotal(figures),
      showNoShows(figures),
      showBookingTime(figures),
      showHealth(figures),
      showConflicts(figures),
      showSources(figures),
      showCapacity(figures),
      showParticipants(figures),
      showForecast(figures),
    ]);
  return {
    data: {
      booking_trends: trends.data,
      popular_time_slots: slots.data,
      total_meetings: total.data,
      no_show_rate: noShows.data,
      avg_booking_time: bookingTime.data,
      conversion_rate: showConversion(figures, stages).data,
      funnel: showFunnel(figures, stages).data,
      calendar_health: health.data,
      conflict_prevention: conflicts.data,
      meeting_sources: sources.data,
      capacity_utilization: capacity.data,
      participant_insights: people.data,
      meeting_forecast: forecast.data,
    },
    range: showRange(question),
  };
}
