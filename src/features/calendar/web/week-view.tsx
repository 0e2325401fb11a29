import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '#ui/preferences.tsx';
import { useShortcuts } from '#ui/shortcuts.ts';
import { useMediaQuery } from '#ui/use-media-query.ts';
import styles from './calendar-page.module.css';
import type { GridEvent } from './grid-event.ts';
import { shownDays } from './shown-range.ts';
import type { CalendarPlace } from './use-calendar-place.ts';
import { WeekGrid, type WeekGridProps } from './week-grid.tsx';

// Only phones fetch it.
const WeekStrip = lazy(async () => ({ default: (await import('./week-strip.tsx')).WeekStrip }));

type FromGrid = Pick<
  WeekGridProps,
  | 'events'
  | 'visibleEvents'
  | 'conflicts'
  | 'titleOf'
  | 'labels'
  | 'nowMs'
  | 'slimMirrors'
  | 'moreZones'
  | 'onZones'
  | 'offHours'
  | 'onCreate'
  | 'onMove'
  | 'onResize'
  | 'onSelect'
  | 'onEdit'
  | 'onDelete'
>;

export interface WeekViewProps extends FromGrid {
  place: CalendarPlace;
  isPhone: boolean;
  loading: boolean;
  scrollKey: number;
  renderMirrors: (event: GridEvent) => ReactNode;
}

/** A week or a day on the grid; on a phone with the strip of its week above. */
export function WeekView({ place, isPhone, ...grid }: WeekViewProps) {
  const { view, zone, day, today, days, goTo, step } = place;
  const { firstDay, dayCount } = days;
  useGridKeysListed();
  const { density } = usePreferences();
  const hourPx = hourRowPx[useMediaQuery('print') ? 'paper' : density];
  const [firstColumn, setFirstColumn] = useState(0);
  const goToColumn = useRef<(column: number) => void>(undefined);
  const isWeek = view === 'week';
  const week = isWeek ? days : shownDays(day, 'week', { ...place.shape, weekends: true });
  const firstInStrip = isWeek ? firstColumn : day - week.firstDay;
  return (
    <>
      {isPhone ? (
        <Suspense fallback={<div className={styles.stripGhost} />}>
          <WeekStrip
            days={week}
            today={today}
            labels={grid.labels}
            events={isWeek ? grid.events : undefined}
            zone={zone}
            shown={{ from: firstInStrip, to: firstInStrip + Math.min(3, dayCount) }}
            onDay={(column) => (isWeek ? goToColumn.current?.(column) : goTo(week.firstDay + column))}
            view={view}
            onStep={step}
          />
        </Suspense>
      ) : null}
      <WeekGrid
        {...grid}
        zone={zone}
        firstDay={firstDay}
        dayCount={dayCount}
        hourPx={hourPx}
        maxBarRows={2}
        onDay={(next) => goTo(next, 'day')}
        onBeyond={step}
        onFirstColumn={setFirstColumn}
        goToColumn={goToColumn}
      />
    </>
  );
}

/** As `--hf-hour-row` has it. */
const hourRowPx = { comfortable: 56, compact: 40, paper: 36 };

/** The grid hears these keys itself; the keyboard sheet lists them. */
function useGridKeysListed(): void {
  const { t } = useTranslation();
  const group = t('calendar.keys.grid');
  useShortcuts([
    { keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], group, label: t('calendar.keys.travel') },
    { keys: ['Tab', 'shift+Tab'], group, label: t('calendar.keys.across') },
    { keys: 'Enter', group, label: t('calendar.keys.new') },
    {
      keys: ['shift+ArrowUp', 'shift+ArrowDown', 'shift+ArrowLeft', 'shift+ArrowRight'],
      group,
      label: t('calendar.keys.move'),
    },
    { keys: ['alt+ArrowUp', 'alt+ArrowDown'], group, label: t('calendar.keys.resize') },
  ]);
}
