import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { useDensity } from '#ui/density.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { CalendarHeader } from './calendar-header.tsx';
import styles from './calendar-page.module.css';
import { CalendarPanel } from './calendar-panel.tsx';
import type { CalendarSearch } from './calendar-search.ts';
import { CalendarsFailed, NoCalendars } from './calendar-states.tsx';
import { countConflictPairs, findConflicts } from './find-conflicts.ts';
import { filterEvents, type GridEvent, toGridEvents, withLinks } from './grid-event.ts';
import { PanelDrawer } from './panel-drawer.tsx';
import { PhoneHeader } from './phone-header.tsx';
import { useCalendars, useChangeVisibility, useEvents, useMirrorLinks, usePrefetchEvents } from './queries.ts';
import { rangeOf, shownDays } from './shown-range.ts';
import { timeLabels } from './time-labels.ts';
import { useMediaQuery } from './use-media-query.ts';
import { dayNumberOf, dayOfNumber, wallTime } from './wall-clock.ts';
import { WeekGrid } from './week-grid.tsx';
import { loadsOf, WeekStrip } from './week-strip.tsx';

const FeedsDialog = lazy(async () => ({ default: (await import('./feeds-dialog.tsx')).FeedsDialog }));

const none: readonly GridEvent[] = [];

const MirrorList = lazy(async () => ({ default: (await import('./mirror-list.tsx')).MirrorList }));

/** All connected calendars in one view. */
export function CalendarPage() {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const search: CalendarSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const nowMs = useNowMs();
  const hourPx = useDensity() === 'compact' ? 40 : 56;
  const isWide = useMediaQuery('(min-width: 1200px)');
  const isPhone = useMediaQuery('(max-width: 599px)');
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [feedsOpen, setFeedsOpen] = useState(false);
  const [scrollKey, setScrollKey] = useState(0);
  const [firstColumn, setFirstColumn] = useState(0);
  const goToColumn = useRef<(column: number) => void>(undefined);

  const zone = loadZone(search.zone ?? preferences.zone) ?? utc;
  const view = search.view ?? 'week';
  const today = wallTime(zone, nowMs).dayNumber;
  const day = search.day === undefined ? today : dayNumberOf(search.day);
  const labels = timeLabels(preferences);
  const days = useMemo(() => shownDays(day, view, preferences.weekStart), [day, view, preferences.weekStart]);
  const { firstDay, dayCount } = days;

  const calendarList = useCalendars();
  const calendars = calendarList.data?.calendars;
  const ids = useMemo(() => calendars?.map((calendar) => calendar.id) ?? [], [calendars]);
  const idsKey = ids.join();
  // Same ids, same list: a change of visibility or status fetches no events.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the list
  const stableIds = useMemo(() => ids, [idsKey]);
  const range = useMemo(() => rangeOf(days, zone), [days, zone]);
  const shown = useEvents(range, stableIds);
  const neighbours = useMemo(
    () => [-dayCount, dayCount].map((step) => rangeOf({ firstDay: firstDay + step, dayCount }, zone)),
    [firstDay, dayCount, zone],
  );
  usePrefetchEvents(neighbours, stableIds, shown.isSuccess);

  const seesToday = today >= firstDay && today < firstDay + dayCount;
  const todayRange = useMemo(() => rangeOf({ firstDay: today, dayCount: 1 }, zone), [today, zone]);
  const todayAlone = useEvents(todayRange, stableIds, !seesToday);
  const todayRows = seesToday ? shown.data?.events : todayAlone.data?.events;

  const visible = useMemo(() => calendars?.filter((calendar) => calendar.visible) ?? [], [calendars]);
  const itemIds = useMemo(() => [...new Set(shown.data?.events.map((event) => event.item_id))].sort(), [shown.data]);
  const links = useMirrorLinks(itemIds);
  const events = useMemo(
    () => (shown.data === undefined ? none : withLinks(toGridEvents(shown.data.events, visible), links)),
    [shown.data, visible, links],
  );
  const conflicts = useMemo(() => findConflicts(events), [events]);
  const titles = useMemo(() => new Map(events.map((event) => [event.id, event.title])), [events]);
  const titleOf = useCallback((eventId: string) => titles.get(eventId), [titles]);
  const conflictsToday = useMemo(
    () =>
      todayRows === undefined
        ? undefined
        : countConflictPairs(toGridEvents(todayRows, visible), todayRange.fromMs, todayRange.toMs),
    [todayRows, visible, todayRange],
  );
  const mirrors = search.mirrors ?? 'slim';
  const drawn = useMemo(
    () => filterEvents(mirrors === 'hide' ? events.filter((event) => !event.isMirror) : events, search.q ?? ''),
    [events, mirrors, search.q],
  );

  const change = useCallback(
    (next: CalendarSearch, replace = false) => {
      // undefined drops a key from the address: what follows preferences and today is not written there.
      void navigate({ to: '/calendar', search: (before: CalendarSearch) => ({ ...before, ...next }), replace });
    },
    [navigate],
  );
  const goTo = useCallback(
    (next: number, nextView?: 'day' | 'week') =>
      change({ day: next === today ? undefined : dayOfNumber(next), ...(nextView ? { view: nextView } : {}) }),
    [change, today],
  );
  const step = useCallback((direction: -1 | 1) => goTo(day + direction * dayCount), [goTo, day, dayCount]);
  const changeVisibility = useChangeVisibility();

  if (calendarList.isError && calendars === undefined) return <CalendarsFailed error={calendarList.error} />;
  if (calendars?.length === 0) return <NoCalendars />;

  const panel = (
    <CalendarPanel
      calendars={calendars}
      conflictsToday={conflictsToday}
      onVisible={(calendarId, isVisible) => changeVisibility.mutate({ calendarId, visible: isVisible })}
      mirrors={mirrors}
      onMirrors={(next) => change({ mirrors: next === 'slim' ? undefined : next }, true)}
      onFeeds={() => {
        setDrawerOpen(false);
        setFeedsOpen(true);
      }}
      zone={zone.id}
      ownZone={preferences.zone}
      onZone={(name) => change({ zone: name === preferences.zone ? undefined : name })}
    />
  );
  const Header = isPhone ? PhoneHeader : CalendarHeader;
  const week = shownDays(day, 'week', preferences.weekStart);
  const firstInStrip = view === 'week' ? firstColumn : day - week.firstDay;
  const lastDay = firstDay + dayCount - 1;
  const titleOfDays = isPhone
    ? labels.shortMonth(firstDay, lastDay)
    : view === 'day'
      ? labels.date(day)
      : labels.month(firstDay, lastDay);
  return (
    <div className={styles.page}>
      {isWide ? (
        <aside className={styles.panel} aria-label={t('calendar.calendars')}>
          {panel}
        </aside>
      ) : null}
      <div className={styles.main}>
        <Header
          title={titleOfDays}
          view={view}
          search={search.q ?? ''}
          found={search.q === undefined ? undefined : drawn.length}
          onSearch={(q) => change({ q: q === '' ? undefined : q }, true)}
          onToday={() => {
            goTo(today);
            setScrollKey((key) => key + 1);
          }}
          onStep={step}
          onView={(next) => change({ view: next === 'week' ? undefined : next })}
          onPanel={isWide ? undefined : () => setDrawerOpen(true)}
        />
        {isPhone ? (
          <WeekStrip
            firstDay={week.firstDay}
            today={today}
            labels={labels}
            loads={view === 'week' ? loadsOf(drawn, zone, firstDay, dayCount) : undefined}
            shown={{ from: firstInStrip, to: firstInStrip + Math.min(3, dayCount) }}
            onDay={(column) => (view === 'week' ? goToColumn.current?.(column) : goTo(week.firstDay + column))}
            view={view}
            onStep={step}
          />
        ) : null}
        {changeVisibility.isError ? (
          <Banner state="bad" role="alert">
            {t('calendar.visibilityFailed')}
          </Banner>
        ) : null}
        {shown.isError && shown.data === undefined ? (
          <Banner
            state="bad"
            role="alert"
            title={t('calendar.eventsFailed')}
            actions={
              <Button variant="default" size="xs" onClick={() => void shown.refetch()}>
                {t('calendar.tryAgain')}
              </Button>
            }
          >
            {t('calendar.eventsFailedText')}
          </Banner>
        ) : null}
        {shown.data?.truncated ? <Banner state="warn">{t('calendar.truncated')}</Banner> : null}
        {search.q !== undefined && drawn.length === 0 && shown.isSuccess ? (
          <p className={styles.nothing}>{t('calendar.nothingFound')}</p>
        ) : null}
        <p role="status" className="hf-sr-only">
          {calendars === undefined || shown.isPending ? t('calendar.loading') : ''}
        </p>
        <WeekGrid
          events={drawn}
          conflicts={conflicts}
          titleOf={titleOf}
          zone={zone}
          firstDay={firstDay}
          dayCount={dayCount}
          nowMs={nowMs}
          labels={labels}
          hourPx={hourPx}
          maxColumns={isPhone && view === 'week' ? 2 : 3}
          maxBarRows={isPhone ? 2 : 3}
          slimMirrors={mirrors === 'slim'}
          loading={calendars === undefined || shown.isPending}
          scrollKey={scrollKey}
          onDay={(next) => goTo(next, 'day')}
          onBeyond={step}
          onFirstColumn={setFirstColumn}
          goToColumn={goToColumn}
          renderMirrors={(event) => <MirrorList event={event} />}
        />
      </div>
      {drawerOpen && !isWide ? (
        <PanelDrawer label={t('calendar.calendars')} onClose={() => setDrawerOpen(false)}>
          {panel}
        </PanelDrawer>
      ) : null}
      {feedsOpen ? (
        <Suspense>
          <FeedsDialog onClose={() => setFeedsOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
