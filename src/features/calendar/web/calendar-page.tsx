import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { HeaderControls } from '#ui/frame/header-slot.tsx';
import { loadWords } from '#ui/load-words.ts';
import { useChangePreferences, usePreferences } from '#ui/preferences.tsx';
import { useMediaQuery } from '#ui/use-media-query.ts';
import { CalendarHeader } from './calendar-header.tsx';
import styles from './calendar-page.module.css';
import { type CalendarView, mirrorViews } from './calendar-search.ts';
import { EditNotices } from './editor/edit-notices.tsx';
import { EditingProvider } from './editor/editing.tsx';
import { useGridEdits } from './editor/use-grid-edits.ts';
import type { GridEvent } from './grid-event.ts';
import { OpenedEventContext } from './opened-event.ts';
import { PageNotices } from './page-notices.tsx';
import { useChangeVisibility } from './queries.ts';
import type { PickRange } from './share/share-times.tsx';
import { monthOf, monthWeeks, rangeOf, shownDays, stepFrom, weekNumber } from './shown-range.ts';
import { type TimeLabels, timeLabels } from './time-labels.ts';
import { useAgendaPages } from './use-agenda-pages.ts';
import { useCalendarData } from './use-calendar-data.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';
import { type CalendarPlace, useCalendarPlace } from './use-calendar-place.ts';
import { useCalendarZones } from './use-calendar-zones.ts';
import { useOffHours } from './use-off-hours.ts';
import { useOpenedEvent } from './use-opened-event.ts';
import { WeekView } from './week-view.tsx';

/** A part whose texts are in a file of their own. */
async function withWords<Part>(part: Promise<Part>, words: string): Promise<Part> {
  await loadWords(words);
  return part;
}

// The space of the panel is reserved beside the week, which loads first.
const loadPanel = () => import('./panel/calendar-panel.tsx');
const CalendarPanel = lazy(async () => ({ default: (await loadPanel()).CalendarPanel }));
const PanelDrawer = lazy(async () => ({ default: (await loadPanel()).PanelDrawer }));
// none of these is in the first view of a week
const PhoneHeader = lazy(async () => ({ default: (await import('./phone-header.tsx')).PhoneHeader }));
const loadStates = () => withWords(import('./calendar-states.tsx'), 'notices');
const CalendarsFailed = lazy(async () => ({ default: (await loadStates()).CalendarsFailed }));
const NoCalendars = lazy(async () => ({ default: (await loadStates()).NoCalendars }));
const MonthView = lazy(async () => ({ default: (await import('./month-view.tsx')).MonthView }));
const AgendaView = lazy(async () => ({ default: (await withWords(import('./agenda-view.tsx'), 'agenda')).AgendaView }));
const MonthPhone = lazy(async () => ({ default: (await withWords(import('./month-phone.tsx'), 'agenda')).MonthPhone }));
const FeedsDialog = lazy(async () => ({
  default: (await withWords(import('./feeds-dialog.tsx'), 'feeds')).FeedsDialog,
}));
const ShareTimes = lazy(async () => ({
  default: (await withWords(import('./share/share-times.tsx'), 'share')).ShareTimes,
}));
const ZonesDialog = lazy(async () => ({
  default: (await withWords(import('./zones-dialog.tsx'), 'zones')).ZonesDialog,
}));
const DatePicker = lazy(async () => ({ default: (await loadPanel()).DatePicker }));
const MirrorList = lazy(async () => ({ default: (await import('./mirror-list.tsx')).MirrorList }));

// A boundary of its own: the view around the card must not wait for it, nor lose the focus.
const renderMirrors = (event: GridEvent) => (
  <Suspense>
    <MirrorList event={event} />
  </Suspense>
);

/** All connected calendars in one view, and what is needed to change what is in them. */
export function CalendarPage() {
  const place = useCalendarPlace(useNowMs());
  return (
    <EditingProvider zone={place.zone}>
      <Calendar place={place} />
    </EditingProvider>
  );
}

function Calendar({ place }: { place: CalendarPlace }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const { search, view, zone, day, today, days, shape, change, goTo, step } = place;
  const isWide = useMediaQuery('(min-width: 1200px)');
  const isPhone = useMediaQuery('(max-width: 599px)');
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [isPanelShown, setPanelShown] = useState(() => localStorage.getItem(panelKey) !== 'hidden');
  const [dialog, setDialog] = useState<'feeds' | 'zones'>();
  const [picking, setPickingDate] = useState<HTMLElement>();
  const [scrollKey, setScrollKey] = useState(0);

  const changePreferences = useChangePreferences();
  const zones = useCalendarZones(place);
  const labels = timeLabels(preferences);
  const mirrors = search.mirrors ?? 'edge';
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
  const offHours = useOffHours(view === 'agenda' || view === 'month' ? undefined : ranges[0], zone);
  const data = useCalendarData({ zone, today, nowMs, ranges, neighbours, q: search.q ?? '', filter, mirrors });
  const { calendarList, calendars, events, conflicts, titleOf, isLoading, isThinned } = data;
  const changeVisibility = useChangeVisibility();
  const opened = useOpenedEvent(place, data);
  const edits = useGridEdits();
  const [pick, setPick] = useState<PickRange>();
  const setPicking = useCallback((next: PickRange | undefined) => setPick(() => next), []);
  const weeks = useMemo(() => monthWeeks(day, shape), [day, shape]);

  const openOver = (over: 'feeds' | 'zones') => {
    setDrawerOpen(false);
    setDialog(over);
  };
  const goToday = () => {
    goTo(today);
    setScrollKey((key) => key + 1);
  };
  const share = () => {
    setDrawerOpen(false);
    change({ share: '1' });
  };
  const showView = (next: CalendarView) => change({ view: next === 'week' ? undefined : next });
  const showNextMirrors = () => {
    const next = mirrorViews[(mirrorViews.indexOf(mirrors) + 1) % mirrorViews.length];
    change({ mirrors: next === 'edge' ? undefined : next }, true);
  };
  const togglePanel = () => {
    if (!isWide) return setDrawerOpen((before) => !before);
    localStorage.setItem(panelKey, isPanelShown ? 'hidden' : 'shown');
    setPanelShown(!isPanelShown);
  };
  useCalendarKeys({
    panel: togglePanel,
    today: goToday,
    step,
    view: showView,
    zones: () => openOver('zones'),
    share,
    mirrors: showNextMirrors,
  });

  if (calendarList.isError && calendars === undefined) {
    return (
      <Suspense>
        <CalendarsFailed error={calendarList.error} />
      </Suspense>
    );
  }
  if (calendars?.length === 0) {
    return (
      <Suspense>
        <NoCalendars />
      </Suspense>
    );
  }

  const dates = { day, today, days, weekStart: shape.weekStart, labels, onDay: (next: number) => goTo(next) };
  const panel = (
    <CalendarPanel
      dates={dates}
      calendars={calendars}
      conflictsToday={data.conflictsToday}
      onVisible={(calendarId, visible) => changeVisibility.mutate({ calendarId, visible })}
      onCreate={() => {
        setDrawerOpen(false);
        change({ new: '1' });
      }}
      mirrors={mirrors}
      onMirrors={(next) => change({ mirrors: next === 'edge' ? undefined : next }, true)}
      weekends={preferences.weekends}
      onWeekends={(weekends) => changePreferences({ weekends })}
      weekNumbers={preferences.weekNumbers}
      onWeekNumbers={(weekNumbers) => changePreferences({ weekNumbers })}
      zones={[zone, ...zones.moreZones.toReversed()]}
      onZones={() => openOver('zones')}
      onFeeds={() => openOver('feeds')}
      onShare={share}
    />
  );
  const Header = isPhone ? PhoneHeader : CalendarHeader;
  const header = (
    <Suspense fallback={isPhone ? <div className={styles.phoneGhost} /> : null}>
      <Header
        onPick={setPickingDate}
        title={titleOfPlace(place, labels, isPhone)}
        week={preferences.weekNumbers && (view === 'week' || view === 'day') ? weekNumber(days) : undefined}
        view={view}
        search={search.q ?? ''}
        filter={filter}
        found={isThinned && !isLoading ? events.length : undefined}
        onSearch={(q) => change({ q: q === '' ? undefined : q }, true)}
        onFilter={(next) => change({ filter: next === 'all' ? undefined : next }, true)}
        onToday={goToday}
        onStep={step}
        onView={showView}
        onPanel={togglePanel}
        isPanelShown={isWide ? isPanelShown : drawerOpen}
      />
    </Suspense>
  );
  const Month = isPhone ? MonthPhone : MonthView;
  const shared = { events, conflicts, titleOf, nowMs, labels, slimMirrors: mirrors === 'edge', loading: isLoading };
  return (
    <div className={styles.page} data-sharing={search.share}>
      {isWide && isPanelShown ? (
        <aside className={styles.panel} aria-label={t('calendar.calendars')}>
          <Suspense>{panel}</Suspense>
        </aside>
      ) : null}
      <div className={styles.main}>
        <HeaderControls>{header}</HeaderControls>
        <PageNotices
          place={place}
          data={data}
          nowMs={nowMs}
          visibilityFailed={changeVisibility.isError}
          missing={opened.missing}
          onMove={(own) => changePreferences({ zone: own })}
        />
        <EditNotices edits={data.edits} />
        <Suspense>
          {search.share === undefined ? null : (
            <ShareTimes place={place} events={data.visibleEvents} labels={labels} onPick={setPicking} />
          )}
        </Suspense>
        <OpenedEventContext value={opened.event}>
          <Suspense fallback={<div className={styles.waiting} />}>
            {view === 'month' ? (
              <Month
                {...shared}
                isThinned={isThinned}
                zone={zone}
                weeks={weeks}
                month={monthOf(day)}
                day={day}
                weekNumbers={preferences.weekNumbers}
                onDay={(next) => goTo(next, isPhone ? undefined : 'day')}
                onStep={step}
                onCreate={edits.onCreate}
                renderMirrors={renderMirrors}
              />
            ) : view === 'agenda' ? (
              <AgendaView
                {...shared}
                isThinned={isThinned}
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
                moreZones={zones.moreZones}
                onZones={() => openOver('zones')}
                offHours={offHours}
                {...edits}
                {...(pick && { onCreate: pick })}
                place={place}
                isPhone={isPhone}
                scrollKey={scrollKey}
                renderMirrors={renderMirrors}
              />
            )}
          </Suspense>
        </OpenedEventContext>
      </div>
      <Suspense>
        {drawerOpen && !isWide ? (
          <PanelDrawer label={t('calendar.calendars')} onClose={() => setDrawerOpen(false)}>
            {panel}
          </PanelDrawer>
        ) : null}
        {picking ? <DatePicker anchor={picking} {...dates} onClose={() => setPickingDate(undefined)} /> : null}
        {dialog === 'feeds' ? <FeedsDialog onClose={() => setDialog(undefined)} /> : null}
        {dialog === 'zones' ? (
          <ZonesDialog
            zone={zone.id}
            ownZone={preferences.zone}
            moreZones={zones.moreZones.map(({ id }) => id)}
            onZone={zones.showZone}
            onMoreZones={zones.rememberZones}
            onClose={() => setDialog(undefined)}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

/** Whether the panel stands beside the grid, kept in this browser. */
const panelKey = 'holdfast-calendar-panel';

/** Month and year, or both months; of a day its date. */
function titleOfPlace({ view, day, days, today }: CalendarPlace, labels: TimeLabels, isPhone: boolean): string {
  if (view === 'day') return isPhone ? labels.shortDay(day) : labels.date(day);
  const [first, last] =
    view === 'month' || view === 'agenda' ? [day, day] : [days.firstDay, days.firstDay + days.dayCount - 1];
  return isPhone ? labels.shortMonth(first, last, today) : labels.month(first, last);
}
