import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { useDensity } from '#ui/density.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { CalendarHeader } from './calendar-header.tsx';
import styles from './calendar-page.module.css';
import { CalendarPanel } from './calendar-panel.tsx';
import { CalendarsFailed, NoCalendars } from './calendar-states.tsx';
import { PanelDrawer } from './panel-drawer.tsx';
import { PhoneHeader } from './phone-header.tsx';
import { useChangeVisibility } from './queries.ts';
import { rangeOf, shownDays, stepFrom } from './shown-range.ts';
import { timeLabels } from './time-labels.ts';
import { useCalendarData } from './use-calendar-data.ts';
import { useCalendarPlace } from './use-calendar-place.ts';
import { useMediaQuery } from './use-media-query.ts';
import { WeekGrid } from './week-grid.tsx';
import { loadsOf, WeekStrip } from './week-strip.tsx';

const FeedsDialog = lazy(async () => ({ default: (await import('./feeds-dialog.tsx')).FeedsDialog }));

const MirrorList = lazy(async () => ({ default: (await import('./mirror-list.tsx')).MirrorList }));

/** All connected calendars in one view. */
export function CalendarPage() {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const place = useCalendarPlace(nowMs);
  const { search, view, zone, day, today, days, change, goTo, step } = place;
  const { firstDay, dayCount } = days;
  const hourPx = useDensity() === 'compact' ? 40 : 56;
  const isWide = useMediaQuery('(min-width: 1200px)');
  const isPhone = useMediaQuery('(max-width: 599px)');
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [feedsOpen, setFeedsOpen] = useState(false);
  const [scrollKey, setScrollKey] = useState(0);
  const [firstColumn, setFirstColumn] = useState(0);
  const goToColumn = useRef<(column: number) => void>(undefined);

  const labels = timeLabels(preferences);
  const mirrors = search.mirrors ?? 'slim';
  const filter = search.filter ?? 'all';
  const ranges = useMemo(() => [rangeOf(days, zone)], [days, zone]);
  const neighbours = useMemo(
    () => ([-1, 1] as const).map((way) => rangeOf(shownDays(stepFrom(day, view, way), view, place.shape), zone)),
    [day, view, place.shape, zone],
  );
  const data = useCalendarData({ zone, today, ranges, neighbours, q: search.q ?? '', filter, mirrors });
  const { calendarList, calendars, shown, events, conflictsToday } = data;
  const isLoading = calendars === undefined || shown.isPending;
  const isThinned = search.q !== undefined || filter !== 'all';
  const changeVisibility = useChangeVisibility();

  if (calendarList.isError && calendars === undefined) return <CalendarsFailed error={calendarList.error} />;
  if (calendars?.length === 0) return <NoCalendars />;

  const panel = (
    <CalendarPanel
      calendars={calendars}
      conflictsToday={conflictsToday}
      onVisible={(calendarId, visible) => changeVisibility.mutate({ calendarId, visible })}
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
  const week = shownDays(day, 'week', { ...place.shape, weekends: true });
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
          filter={filter}
          found={isThinned && !isLoading ? events.length : undefined}
          onSearch={(q) => change({ q: q === '' ? undefined : q }, true)}
          onFilter={(next) => change({ filter: next === 'all' ? undefined : next }, true)}
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
            loads={view === 'week' ? loadsOf(events, zone, firstDay, dayCount) : undefined}
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
        {shown.hasFailed ? (
          <Banner
            state="bad"
            role="alert"
            title={t('calendar.eventsFailed')}
            actions={
              <Button variant="default" size="xs" onClick={shown.refetch}>
                {t('calendar.tryAgain')}
              </Button>
            }
          >
            {t('calendar.eventsFailedText')}
          </Banner>
        ) : null}
        {shown.truncated ? <Banner state="warn">{t('calendar.truncated')}</Banner> : null}
        {isThinned && events.length === 0 && !isLoading && !shown.hasFailed ? (
          <p className={styles.nothing}>
            {t(search.q === undefined ? 'calendar.nothingFiltered' : 'calendar.nothingFound')}{' '}
            <button type="button" onClick={() => change({ q: undefined, filter: undefined }, true)}>
              {t('calendar.showAll')}
            </button>
          </p>
        ) : null}
        <p role="status" className="hf-sr-only">
          {isLoading ? t('calendar.loading') : ''}
        </p>
        <WeekGrid
          events={events}
          conflicts={data.conflicts}
          titleOf={data.titleOf}
          zone={zone}
          firstDay={firstDay}
          dayCount={dayCount}
          nowMs={nowMs}
          labels={labels}
          hourPx={hourPx}
          maxColumns={isPhone && view === 'week' ? 2 : 3}
          maxBarRows={isPhone ? 2 : 3}
          slimMirrors={mirrors === 'slim'}
          loading={isLoading}
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
