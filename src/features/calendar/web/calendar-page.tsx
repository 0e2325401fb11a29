import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { CalendarHeader } from './calendar-header.tsx';
import { CalendarNotices } from './calendar-notices.tsx';
import styles from './calendar-page.module.css';
import { CalendarPanel } from './calendar-panel.tsx';
import { CalendarsFailed, NoCalendars } from './calendar-states.tsx';
import type { GridEvent } from './grid-event.ts';
import { PanelDrawer } from './panel-drawer.tsx';
import { PhoneHeader } from './phone-header.tsx';
import { useChangeVisibility } from './queries.ts';
import { monthOf, monthWeeks, rangeOf, shownDays, stepFrom } from './shown-range.ts';
import { type TimeLabels, timeLabels } from './time-labels.ts';
import { useAgendaPages } from './use-agenda-pages.ts';
import { useCalendarData } from './use-calendar-data.ts';
import { type CalendarPlace, useCalendarPlace } from './use-calendar-place.ts';
import { useMediaQuery } from './use-media-query.ts';
import { WeekView } from './week-view.tsx';

// None of these is in the first picture of a week.
const MonthView = lazy(async () => ({ default: (await import('./month-view.tsx')).MonthView }));
const MonthPhone = lazy(async () => ({ default: (await import('./month-phone.tsx')).MonthPhone }));
const AgendaView = lazy(async () => ({ default: (await import('./agenda-view.tsx')).AgendaView }));
const FeedsDialog = lazy(async () => ({ default: (await import('./feeds-dialog.tsx')).FeedsDialog }));
const MirrorList = lazy(async () => ({ default: (await import('./mirror-list.tsx')).MirrorList }));

const renderMirrors = (event: GridEvent) => <MirrorList event={event} />;

/** All connected calendars in one view. */
export function CalendarPage() {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const place = useCalendarPlace(nowMs);
  const { search, view, zone, day, today, days, shape, change, goTo, step } = place;
  const isWide = useMediaQuery('(min-width: 1200px)');
  const isPhone = useMediaQuery('(max-width: 599px)');
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [feedsOpen, setFeedsOpen] = useState(false);
  const [scrollKey, setScrollKey] = useState(0);

  const labels = timeLabels(preferences);
  const mirrors = search.mirrors ?? 'slim';
  const filter = search.filter ?? 'all';
  const agenda = useAgendaPages(day, zone);
  const ranges = useMemo(
    () => (view === 'agenda' ? agenda.ranges : [rangeOf(days, zone)]),
    [view, agenda.ranges, days, zone],
  );
  const neighbours = useMemo(
    () => ([-1, 1] as const).map((way) => rangeOf(shownDays(stepFrom(day, view, way), view, shape), zone)),
    [day, view, shape, zone],
  );
  const data = useCalendarData({ zone, today, ranges, neighbours, q: search.q ?? '', filter, mirrors });
  const { calendarList, calendars, shown, events, conflicts, titleOf } = data;
  const isLoading = calendars === undefined || shown.isPending;
  const isThinned = search.q !== undefined || filter !== 'all';
  const changeVisibility = useChangeVisibility();
  const weeks = useMemo(() => monthWeeks(day, shape), [day, shape]);

  if (calendarList.isError && calendars === undefined) return <CalendarsFailed error={calendarList.error} />;
  if (calendars?.length === 0) return <NoCalendars />;

  const panel = (
    <CalendarPanel
      calendars={calendars}
      conflictsToday={data.conflictsToday}
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
  const Month = isPhone ? MonthPhone : MonthView;
  const shared = { events, conflicts, titleOf, nowMs, labels, slimMirrors: mirrors === 'slim', loading: isLoading };
  return (
    <div className={styles.page}>
      {isWide ? (
        <aside className={styles.panel} aria-label={t('calendar.calendars')}>
          {panel}
        </aside>
      ) : null}
      <div className={styles.main}>
        <Header
          title={titleOfPlace(place, labels, isPhone)}
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
        <CalendarNotices
          visibilityFailed={changeVisibility.isError}
          eventsFailed={shown.hasFailed}
          onRetry={shown.refetch}
          truncated={shown.truncated}
          loading={isLoading}
          nothingLeft={
            isThinned && events.length === 0 && !isLoading && !shown.hasFailed
              ? search.q === undefined
                ? 'filter'
                : 'search'
              : undefined
          }
          onShowAll={() => change({ q: undefined, filter: undefined }, true)}
        />
        <Suspense fallback={<div className={styles.waiting} />}>
          {view === 'month' ? (
            <Month
              {...shared}
              zone={zone}
              weeks={weeks}
              month={monthOf(day)}
              day={day}
              weekNumbers={preferences.weekNumbers}
              onDay={(next) => goTo(next, isPhone ? undefined : 'day')}
              onStep={step}
              renderMirrors={renderMirrors}
            />
          ) : view === 'agenda' ? (
            <AgendaView
              {...shared}
              zone={zone}
              days={agenda.days}
              day={day}
              scrollKey={scrollKey}
              onDay={(next) => goTo(next, 'day')}
              onEarlier={agenda.showEarlier}
              onLater={agenda.showLater}
              renderMirrors={renderMirrors}
            />
          ) : (
            <WeekView
              {...shared}
              visibleEvents={data.visibleEvents}
              place={place}
              isPhone={isPhone}
              scrollKey={scrollKey}
              renderMirrors={renderMirrors}
            />
          )}
        </Suspense>
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

/** Month and year, or both months; of a day its date. */
function titleOfPlace({ view, day, days }: CalendarPlace, labels: TimeLabels, isPhone: boolean): string {
  if (view === 'day') return isPhone ? labels.shortDay(day) : labels.date(day);
  const [first, last] = view === 'month' ? [day, day] : [days.firstDay, days.firstDay + days.dayCount - 1];
  return isPhone ? labels.shortMonth(first, last) : labels.month(first, last);
}
