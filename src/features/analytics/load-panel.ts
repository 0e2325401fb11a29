import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Figure } from './explain-figure.ts';
import { type Figures, loadFigures } from './load-figures.ts';
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
import type { Panel } from './rules/measures.ts';

const shows = {
  'booking-trends': showTrends,
  'popular-time-slots': showSlots,
  'total-meetings': showTotal,
  'no-show-rate': showNoShows,
  'avg-booking-time': showBookingTime,
  'conversion-rate': async (figures: Figures) => showConversion(figures, await loadStages(figures)),
  funnel: async (figures: Figures) => showFunnel(figures, await loadStages(figures)),
  'calendar-health': showHealth,
  'conflict-prevention': showConflicts,
  'meeting-sources': showSources,
  'capacity-utilization': showCapacity,
  'participant-insights': showParticipants,
  'meeting-forecast': showForecast,
} satisfies Record<Panel, (figures: Figures) => Promise<Figure<unknown>>>;

export type DataOf<P extends Panel> = Awaited<ReturnType<(typeof shows)[P]>>['data'];

/** Figure and loads of one panel, for who shows it and for who keeps it as a file. */
export async function loadPanel<P extends Panel>(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  panel: P,
  asked: Asked,
): Promise<{ figures: Figures; figure: Figure<DataOf<P>> }> {
  // without a range preventions are this month's
  const question = await readQuestion(app, actor, asked, panel === 'conflict-prevention' ? 'month' : 'days');
  const figures = loadFigures(app.db, question);
  const figure = (await shows[panel](figures)) as unknown as Figure<DataOf<P>>;
  return { figures, figure };
}
