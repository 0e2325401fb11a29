import { Buffer } from 'node:buffer';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { Output } from '#kernel/contract.ts';
import { csvRow } from '#kernel/csv.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { analyticsContract } from '../contract.ts';
import {
  type Asked,
  createFigures,
  explainFigure,
  type Figure,
  type Figures,
  rangeView,
  resolveQuestion,
} from '../figures.ts';
import type { Explanation } from '../rules/explanation.ts';
import type { Panel } from '../rules/measures.ts';
import { tableOf } from '../rules/table-of.ts';
import { getBookingTime, getNoShows, getPopularSlots, getTotal, getTrends } from './bookings.ts';
import { getCapacity, getConflicts, getHealth } from './calendars.ts';
import { getForecast, getParticipants, getSources } from './meetings.ts';
import { getConversion, getFunnel, getStages } from './visits.ts';

const getters = {
  'booking-trends': getTrends,
  'popular-time-slots': getPopularSlots,
  'total-meetings': getTotal,
  'no-show-rate': getNoShows,
  'avg-booking-time': getBookingTime,
  'conversion-rate': async (figures: Figures) => getConversion(figures, await getStages(figures)),
  funnel: async (figures: Figures) => getFunnel(figures, await getStages(figures)),
  'calendar-health': getHealth,
  'conflict-prevention': getConflicts,
  'meeting-sources': getSources,
  'capacity-utilization': getCapacity,
  'participant-insights': getParticipants,
  'meeting-forecast': getForecast,
} satisfies Record<Panel, (figures: Figures) => Promise<Figure<unknown>>>;

type DataOf<P extends Panel> = Awaited<ReturnType<(typeof getters)[P]>>['data'];

/** The figure of one panel, for its answer and its export. */
async function getFigure<P extends Panel>(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  panel: P,
  asked: Asked,
): Promise<{ figures: Figures; figure: Figure<DataOf<P>> }> {
  // without a range preventions are this month's
  const question = await resolveQuestion(app, actor, asked, panel === 'conflict-prevention' ? 'month' : 'days');
  const figures = createFigures(app.db, question);
  const figure = (await getters[panel](figures)) as unknown as Figure<DataOf<P>>;
  return { figures, figure };
}

interface Shown<Data> {
  data: Data;
  range: ReturnType<typeof rangeView>;
  explain?: Explanation;
}

/** One panel as its call gives it. *Errors*: as `resolveQuestion`. */
export async function getPanel<P extends Panel>(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  panel: P,
  asked: Asked,
): Promise<Shown<DataOf<P>>> {
  const { figures, figure } = await getFigure(app, actor, panel, asked);
  const { question } = figures;
  return {
    data: figure.data,
    range: rangeView(question),
    ...(question.explain ? { explain: await explainFigure(figures, panel, figure) } : {}),
  };
}

/** Every panel in one answer; as many statements whatever is in them, and what several need is read once. */
export async function getDashboard(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  asked: Asked,
): Promise<Output<typeof analyticsContract.dashboard>> {
  const question = await resolveQuestion(app, actor, asked);
  const figures = createFigures(app.db, question);
  const [stages, trends, slots, total, noShows, bookingTime, health, conflicts, sources, capacity, people, forecast] =
    await Promise.all([
      getStages(figures),
      getTrends(figures),
      getPopularSlots(figures),
      getTotal(figures),
      getNoShows(figures),
      getBookingTime(figures),
      getHealth(figures),
      getConflicts(figures),
      getSources(figures),
      getCapacity(figures),
      getParticipants(figures),
      getForecast(figures),
    ]);
  return {
    data: {
      booking_trends: trends.data,
      popular_time_slots: slots.data,
      total_meetings: total.data,
      no_show_rate: noShows.data,
      avg_booking_time: bookingTime.data,
      conversion_rate: getConversion(figures, stages).data,
      funnel: getFunnel(figures, stages).data,
      calendar_health: health.data,
      conflict_prevention: conflicts.data,
      meeting_sources: sources.data,
      capacity_utilization: capacity.data,
      participant_insights: people.data,
      meeting_forecast: forecast.data,
    },
    range: rangeView(question),
  };
}

/** More rows than a spreadsheet takes well are no table any more. */
const mostFileRows = 100_000;
const rowColumns = ['Kind', 'Id', 'Title', 'With', 'At', 'Part', 'Numerator', 'Denominator'];

/** The figures of a panel as they are drawn, or what they are made of. *Errors*: as `resolveQuestion`. */
export async function exportPanel(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  actor: { userId: UserId },
  { panel, rows, ...asked }: Asked & { panel: Panel; rows?: '1' | undefined },
): Promise<FileAnswer> {
  const { figures, figure } = await getFigure(app, actor, panel, { ...asked, explain: rows });
  const { from, to } = rangeView(figures.question);
  const lines =
    rows === undefined
      ? tableOf(figure.data)
      : [
          rowColumns,
          ...(await explainFigure(figures, panel, figure, mostFileRows)).rows.map((row) => [
            row.kind,
            row.id,
            row.title ?? '',
            row.with ?? '',
            row.at ?? '',
            row.part,
            row.numerator,
            row.denominator,
          ]),
        ];
  // Excel takes a file for UTF-8 only where it begins so
  const bytes = Buffer.from(`\uFEFF${lines.map(csvRow).join('')}`);
  return {
    name: `${panel}${rows === undefined ? '' : '-rows'}-${from}-${to}.csv`,
    sizeBytes: bytes.byteLength,
    chunks: (async function* () {
      yield bytes;
    })(),
  };
}
