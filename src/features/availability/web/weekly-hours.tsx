import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Hours, Interval } from '#features/availability/rules/hours.ts';
import { IconButton } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useNowMs } from '#ui/clock.ts';
import { formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { type Chip, DayChip } from './day-chip.tsx';
import { IntervalList } from './interval-list.tsx';
import { factsOf, nextWindows, type Weekday, weekFrom } from './next-windows.ts';
import { useAvailability, useWindows } from './queries.ts';
import styles from './weekly-hours.module.css';

export interface WeeklyHoursProps {
  hours: Hours;
  faults: ReadonlyMap<string, string>;
  onChange: (weekly: Hours['weekly']) => void;
}

/** Each day of the week with its hours, and how its next date stands. */
export function WeeklyHours({ hours, faults, onChange }: WeeklyHoursProps) {
  const { weekStart } = usePreferences();
  const { weekly } = hours;
  const set = (weekday: Weekday, part: Partial<Hours['weekly'][Weekday]>) =>
    onChange({ ...weekly, [weekday]: { ...weekly[weekday], ...part } });
  const copy = (from: Weekday) => {
    const { intervals } = weekly[from];
    const copied = Object.entries(weekly).map(([weekday, day]) => [weekday, day.enabled ? { ...day, intervals } : day]);
    onChange(Object.fromEntries(copied) as Hours['weekly']);
  };
  return (
    <ul className={styles.days}>
      {weekFrom(weekStart).map((weekday) => (
        <DayRow
          key={weekday}
          weekday={weekday}
          hours={hours}
          faults={faults}
          onToggle={(enabled) => set(weekday, { enabled })}
          onIntervals={(intervals) => set(weekday, { intervals, enabled: intervals.length > 0 })}
          onCopy={() => copy(weekday)}
        />
      ))}
    </ul>
  );
}

interface DayRowProps {
  weekday: Weekday;
  hours: Hours;
  faults: ReadonlyMap<string, string>;
  onToggle: (enabled: boolean) => void;
  onIntervals: (intervals: Interval[]) => void;
  onCopy: () => void;
}

const nineToFive: Interval = { start: '09:00', end: '17:00' };

function DayRow({ weekday, hours, faults, onToggle, onIntervals, onCopy }: DayRowProps) {
  const { t } = useTranslation();
  const names = useDayNames();
  const name = names[weekday];
  const { enabled, intervals } = hours.weekly[weekday];
  const own = new Map(
    intervals.flatMap((_, n) => {
      const fault = faults.get(`weekly.${weekday}.intervals.${n}.end`);
      return fault === undefined ? [] : [[n, fault] as const];
    }),
  );
  return (
    <li className={styles.day} data-off={!enabled || undefined}>
      <Checkbox
        label={name}
        checked={enabled}
        onChange={(event) => {
          const on = event.currentTarget.checked;
          if (on && intervals.length === 0) onIntervals([nineToFive]);
          else onToggle(on);
        }}
      />
      <div className={styles.hours}>
        {enabled ? (
          <IntervalList name={name} intervals={intervals} faults={own} onChange={onIntervals} />
        ) : (
          <span className={styles.closed}>{t('availability.weekly.closed')}</span>
        )}
      </div>
      <div className={styles.end}>
        {enabled ? (
          <IconButton label={t('availability.weekly.copy', { day: name })} onClick={onCopy}>
            <IconCopy size={16} aria-hidden />
          </IconButton>
        ) : null}
        <NextChip weekday={weekday} hours={hours} />
      </div>
    </li>
  );
}

/** How the next date of a weekday stands, asked of the person's calendars. */
function NextChip({ weekday, hours }: { weekday: Weekday; hours: Hours }) {
  const { t } = useTranslation();
  const nowMs = useNowMs();
  const reading = usePreferences();
  const { data: availability } = useAvailability();
  const windows = availability === undefined ? [] : nextWindows(weekday, hours, factsOf(availability), nowMs);
  const check = useWindows(windows);
  const taken = [...(check.data?.conflicts ?? []), ...(check.data?.holds ?? [])];
  const detail = taken
    .slice(0, 5)
    .map((one) => `${formatTime(msOfInstant(one.start), reading)} ${one.title ?? t('availability.chip.untitled')}`)
    .join('\n');
  return <DayChip chip={chipOf(windows.length > 0, check)} detail={detail === '' ? undefined : detail} />;
}

function chipOf(
  asks: boolean,
  { data, isError }: { data: { conflicts: unknown[]; holds: unknown[] } | undefined; isError: boolean },
): Chip | 'unknown' {
  if (!asks) return 'disabled';
  if (data === undefined) return isError ? 'unknown' : 'checking';
  if (data.conflicts.length > 0) return 'conflict';
  return data.holds.length > 0 ? 'priority-hold' : 'free';
}

function useDayNames(): Record<Weekday, string> {
  const { t } = useTranslation();
  return {
    monday: t('availability.day.monday'),
    tuesday: t('availability.day.tuesday'),
    wednesday: t('availability.day.wednesday'),
    thursday: t('availability.day.thursday'),
    friday: t('availability.day.friday'),
    saturday: t('availability.day.saturday'),
    sunday: t('availability.day.sunday'),
  };
}
