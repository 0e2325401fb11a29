import { useTranslation } from 'react-i18next';
import { type Hours, weekdays } from '#features/availability/rules/hours.ts';
import { weekdayNames } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import styles from './hours-summary.module.css';
import { useDayText, useHoursText } from './use-day-text.ts';

/** Hours in words, a line for each day; lines that `other` has otherwise are marked. */
export function HoursSummary({ hours, other }: { hours: Hours; other?: Hours | undefined }) {
  const linesOf = useLines();
  const others = other === undefined ? null : new Map(linesOf(other));
  return (
    <dl className={styles.summary}>
      {linesOf(hours).map(([name, text]) => (
        <div
          key={name}
          className={styles.line}
          data-differs={(others !== null && others.get(name) !== text) || undefined}
        >
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function useLines(): (hours: Hours) => [string, string][] {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const dayText = useDayText();
  const hoursText = useHoursText();
  const names = weekdayNames(locale);
  const textOf = (intervals: readonly { start: string; end: string }[]) =>
    intervals.length === 0 ? t('availability.weekly.closed') : hoursText(intervals);
  return (hours) => [
    [t('availability.zone.label'), hours.timezone.replaceAll('_', ' ')],
    ...weekdays.map((weekday, n): [string, string] => {
      const { enabled, intervals } = hours.weekly[weekday];
      return [names[n] ?? weekday, textOf(enabled ? intervals : [])];
    }),
    ...hours.overrides
      .toSorted((a, b) => (a.date < b.date ? -1 : 1))
      .map(({ date, intervals }): [string, string] => [dayText(date), textOf(intervals)]),
  ];
}
