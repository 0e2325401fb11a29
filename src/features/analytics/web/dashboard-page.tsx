import { IconAdjustmentsHorizontal, IconMail } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel as Card, Page } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { type Panel, panels } from '../rules/measures.ts';
import { type Board, BoardContext } from './board.ts';
import styles from './dashboard-page.module.css';
import { type DashboardSearch, isFiltered, periods, readDashboardSearch, usualPeriod } from './dashboard-search.ts';
import { DashboardSkeleton, TodayGhost } from './dashboard-skeleton.tsx';
import { BookingTrends } from './panels/booking-trends.tsx';
import { CalendarHealth } from './panels/calendar-health.tsx';
import { Capacity } from './panels/capacity.tsx';
import { ConflictsPrevented } from './panels/conflicts-prevented.tsx';
import { isEmpty } from './panels/empty-panels.ts';
import { Forecast } from './panels/forecast.tsx';
import { Funnel } from './panels/funnel.tsx';
import { MeetingSources } from './panels/meeting-sources.tsx';
import { Participants } from './panels/participants.tsx';
import { PopularSlots } from './panels/popular-slots.tsx';
import { SummaryCards } from './panels/summary-cards.tsx';
import { useFigureText } from './panels/use-figure-text.ts';
import {
  askedBy,
  type Dashboard,
  daysOf,
  type Filters,
  slotViewOf,
  useDashboard,
  useDigest,
  useFilters,
  useOwnName,
} from './queries.ts';
import { useFirstSteps } from './use-first-steps.ts';

const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));
const TodayRow = lazy(async () => ({ default: (await import('./today/today-row.tsx')).TodayRow }));
const RowsPanel = lazy(async () => ({ default: (await import('./panels/rows-panel.tsx')).RowsPanel }));
const DashboardFilters = lazy(async () => ({ default: (await import('./dashboard-filters.tsx')).DashboardFilters }));
const DigestDialog = lazy(async () => ({ default: (await import('./digest-dialog.tsx')).DigestDialog }));

/** How it goes: every figure of one's bookings and calendars, or of a team, each with the rows that make it. */
export function DashboardPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = readDashboardSearch(useSearch({ strict: false }));
  const { zone } = usePreferences();
  const { range } = useFigureText();
  const name = useOwnName();
  const filters = useFilters();
  const history = historyOf(filters.data, search.team);
  const isBeyond = (one: keyof typeof daysOf) => history !== null && daysOf[one] - 1 > history;
  const wanted = search.period ?? usualPeriod;
  const period = isBeyond(wanted) ? usualPeriod : wanted;
  const asked = askedBy({ ...search, period }, zone, useNowMs());
  const found = useDashboard(asked);
  const digest = useDigest().data;
  // asked for beside the figures, so that nothing is moved by the answer
  useFirstSteps();
  const [isFiltering, setFiltering] = useState(isFiltered(search) || search.team !== undefined);
  const [isChoosing, setChoosing] = useState(false);
  const { from = '', to = '' } = asked;
  const rangeText = range(from, to);
  const refusal = history === null ? undefined : t('analytics.period.refused', { count: history });
  // the page stays where it is under what opens
  const go = (next: DashboardSearch, replace: boolean) =>
    void navigate({ to: '.', search: next as never, replace, resetScroll: false });
  const board: Board = {
    search,
    asked,
    view: slotViewOf(search),
    rangeText,
    versus: t(`analytics.before.${period}`),
    set: (part) => go({ ...search, ...part }, true),
    open: (panel: Panel, part?: string) => {
      // newer bookings are in the rows, and the figure must add up with them
      void found.refetch();
      go({ ...search, rows: panel, part, month: undefined }, false);
    },
  };
  const opened = panels.find((panel) => panel === search.rows);
  const previous = found.data?.range.previous;
  return (
    <BoardContext value={board}>
      <Page
        title={t('analytics.welcome', { name: name ?? t('analytics.user') })}
        subtitle={[
          previous === undefined
            ? rangeText
            : t('analytics.compared', { range: rangeText, previous: range(previous.from, previous.to) }),
          ...(periods.some(isBeyond) ? [refusal] : []),
        ].join(' · ')}
        actions={
          <>
            <Segmented
              aria-label={t('analytics.period.label')}
              value={period}
              onChange={(value) => board.set({ period: periods.find((one) => one === value) })}
              data={periods.map((value) => ({
                value,
                label: t(`analytics.period.${value}`),
                refusal: isBeyond(value) ? refusal : undefined,
              }))}
            />
            <Button
              variant="default"
              aria-expanded={isFiltering}
              leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
              onClick={() => setFiltering(!isFiltering)}
            >
              {t('analytics.filter.open')}
            </Button>
            {digest?.available === false && !digest.weekly ? null : (
              <IconButton label={t('analytics.digest.open')} onClick={() => setChoosing(true)}>
                <IconMail size={18} aria-hidden />
              </IconButton>
            )}
          </>
        }
      >
        {isFiltering ? (
          <Suspense fallback={<div className={styles.filters} />}>
            <DashboardFilters known={filters.data} />
          </Suspense>
        ) : null}
        {found.data === undefined ? (
          found.error ? (
            <Card>
              <ErrorState title={t('analytics.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
            </Card>
          ) : (
            <DashboardSkeleton />
          )
        ) : (
          <>
            {isFiltered(search) ? null : <Beginning data={found.data.data} filters={filters.data} />}
            {isFiltered(search) || search.team !== undefined ? null : (
              <div className={styles.first}>
                <Suspense fallback={<TodayGhost />}>
                  <TodayRow health={found.data.data.calendar_health} />
                </Suspense>
              </div>
            )}
            <Panels data={found.data.data} isOld={found.isPlaceholderData} />
          </>
        )}
        <Suspense>
          {opened === undefined ? null : (
            <RowsPanel
              panel={opened}
              onClose={() => board.set({ rows: undefined, part: undefined, month: undefined })}
            />
          )}
          {isChoosing ? <DigestDialog onClose={() => setChoosing(false)} /> : null}
        </Suspense>
      </Page>
    </BoardContext>
  );
}

/** Days before today that the plan shows of one's own figures, or of a team's; null: no bound is known. */
const historyOf = (filters: Filters | undefined, team: string | undefined) =>
  (team === undefined ? filters : filters?.teams.find((one) => one.team_id === team))?.history_days ?? null;

/** Not before it is known what is there, and not for a team: its figures say nothing of one's own steps. */
function Beginning({ data, filters }: { data: Dashboard; filters: Filters | undefined }) {
  const connected = data.calendar_health?.total_connected;
  if (connected === undefined || (connected > 0 && filters === undefined)) return null;
  return (
    <Suspense fallback={<div className={styles.steps} />}>
      <FirstSteps
        isConnected={connected > 0}
        hasTypes={(filters?.event_types ?? []).length > 0}
        hasBookings={data.total_meetings.value > 0}
      />
    </Suspense>
  );
}

function Panels({ data, isOld }: { data: Dashboard; isOld: boolean }) {
  const { t } = useTranslation();
  const has = (panel: keyof typeof isEmpty) => !isEmpty[panel](data);
  const trends = <BookingTrends key="trends" trends={data.booking_trends} />;
  const slots = <PopularSlots key="slots" usual={data.popular_time_slots} />;
  const sources = <MeetingSources key="sources" found={data.meeting_sources} />;
  const health = data.calendar_health === null ? null : <CalendarHealth key="health" found={data.calendar_health} />;
  const conflicts = <ConflictsPrevented key="conflicts" found={data.conflict_prevention} />;
  const people = <Participants key="people" found={data.participant_insights} />;
  const forecast = <Forecast key="forecast" found={data.meeting_forecast} />;
  const capacity = <Capacity key="capacity" found={data.capacity_utilization} />;
  const funnel = <Funnel key="funnel" found={data.funnel} />;
  const besideTrends = has('trends') && has('sources');
  const thirds = [
    has('sources') && !besideTrends ? sources : null,
    has('people') ? people : null,
    has('forecast') ? forecast : null,
    has('slots') || !has('health') ? null : health,
    has('capacity') ? capacity : null,
    has('slots') ? null : conflicts,
  ].filter((one) => one !== null);
  const lines = [
    has('trends') ? null : trends,
    has('slots') ? null : slots,
    has('sources') ? null : sources,
    has('people') ? null : people,
    has('forecast') ? null : forecast,
    has('health') || has('slots') ? null : health,
    has('capacity') ? null : capacity,
    has('funnel') ? null : funnel,
  ].filter((one) => one !== null);
  return (
    <div className={styles.grid} aria-busy={isOld} data-old={isOld || undefined}>
      <SummaryCards data={data} />
      {has('trends') ? <div className={besideTrends ? styles.wide : styles.full}>{trends}</div> : null}
      {besideTrends ? <div className={styles.side}>{sources}</div> : null}
      {has('slots') ? (
        <>
          <div className={styles.wide}>{slots}</div>
          <div className={styles.side}>
            {health}
            {conflicts}
          </div>
        </>
      ) : null}
      <div className={styles.thirds}>{thirds}</div>
      {has('funnel') ? <div className={styles.full}>{funnel}</div> : null}
      {lines.length > 0 ? (
        <div className={styles.lines} data-lines>
          <h2>{t('analytics.later')}</h2>
          {lines}
        </div>
      ) : null}
    </div>
  );
}
