import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Interval, mostIntervals } from '#features/availability/rules/hours.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { TimeField } from '#ui/dates/when-field.tsx';
import styles from './interval-list.module.css';

export interface IntervalListProps {
  /** Spoken before "from" and "to". */
  name: string;
  intervals: readonly Interval[];
  /** By position: what is wrong with one. */
  faults?: ReadonlyMap<number, string> | undefined;
  onChange: (intervals: Interval[]) => void;
}

/** Hours of one day, from when to when, as many as it takes. */
export function IntervalList({ name, intervals, faults, onChange }: IntervalListProps) {
  const { t } = useTranslation();
  const set = (at: number, part: Partial<Interval>) =>
    onChange(intervals.map((one, n) => (n === at ? { ...one, ...part } : one)));
  const add = () => onChange([...intervals, nextInterval(intervals)]);
  return (
    <div className={styles.list}>
      {intervals.map(({ start, end }, at) => {
        const fault = faults?.get(at);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: intervals have no names, and fields keep their place
          <div key={at} className={styles.interval}>
            <TimeField
              aria-label={t('availability.weekly.from', { day: name })}
              value={start}
              required
              error={fault !== undefined}
              onValue={(value) => set(at, { start: value || start })}
            />
            <span aria-hidden className={styles.dash}>
              –
            </span>
            <TimeField
              aria-label={t('availability.weekly.to', { day: name })}
              value={end === '24:00' ? '00:00' : end}
              required
              error={fault !== undefined}
              onValue={(value) => {
                const given = value || end;
                set(at, { end: given === '00:00' ? '24:00' : given });
              }}
            />
            <IconButton
              label={t('availability.weekly.remove', { day: name })}
              onClick={() => onChange(intervals.filter((_, n) => n !== at))}
            >
              <IconTrash size={16} aria-hidden />
            </IconButton>
            {at === intervals.length - 1 && intervals.length < mostIntervals ? (
              <IconButton label={t('availability.weekly.addTo', { day: name })} onClick={add}>
                <IconPlus size={16} aria-hidden />
              </IconButton>
            ) : null}
            {fault !== undefined ? (
              <p className={styles.fault} role="alert">
                {fault}
              </p>
            ) : end < start ? (
              <p className={styles.note}>{t('availability.weekly.nextDay')}</p>
            ) : null}
          </div>
        );
      })}
      {intervals.length === 0 ? (
        <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('availability.weekly.add')}
        </Button>
      ) : null}
    </div>
  );
}

/** An hour after the last one, or nine to five. */
function nextInterval(intervals: readonly Interval[]): Interval {
  const end = intervals.at(-1)?.end;
  const hour = end === undefined ? 24 : Number(end.slice(0, 2)) + 1;
  if (hour > 22) return { start: '09:00', end: '17:00' };
  return { start: `${String(hour).padStart(2, '0')}:00`, end: `${String(hour + 1).padStart(2, '0')}:00` };
}
