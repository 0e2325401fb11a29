import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { useBookingSlots } from './booking-queries.ts';
import styles from './move-dialog.module.css';
import { useBookingWhen } from './use-booking-when.ts';

export interface SlotChoiceProps {
  bookingId: string;
  fromMs: number;
  toMs: number;
  chosenMs: number | null;
  onChoose: (startMs: number) => void;
  onGoTo: (ms: number) => void;
}

/** Free times of a week, day by day. */
export function SlotChoice({ bookingId, fromMs, toMs, chosenMs, onChoose, onGoTo }: SlotChoiceProps) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const when = useBookingWhen();
  // by whole hours, or every tick of the clock would refetch
  const hourMs = 3_600_000;
  const slots = useBookingSlots(bookingId, Math.floor(fromMs / hourMs) * 60, Math.ceil(toMs / hourMs) * 60);
  if (slots.error) {
    return (
      <ErrorState title={t('meetings.booking.move.noSlots')} error={slots.error} onRetry={() => void slots.refetch()} />
    );
  }
  if (slots.data === undefined) return <SkeletonRows rows={3} label={t('meetings.booking.move.loading')} />;
  const { starts, next } = slots.data;
  if (starts.length === 0) {
    return (
      <div className={styles.none}>
        <p>{t('meetings.booking.move.none')}</p>
        {next === null ? null : (
          <Button variant="default" size="xs" onClick={() => onGoTo(next * 60_000)}>
            {t('meetings.booking.move.next', { when: when.moment(next * 60_000) })}
          </Button>
        )}
      </div>
    );
  }
  const days = Map.groupBy(starts, (minute) => when.day(minute * 60_000));
  return (
    <div className={styles.days}>
      {[...days].map(([day, minutes]) => (
        <fieldset key={day} className={styles.day}>
          <legend>{day}</legend>
          <div className={styles.times}>
            {minutes.map((minute) => (
              <label key={minute} className={styles.time}>
                <input
                  type="radio"
                  name="slot"
                  className={styles.radio}
                  checked={chosenMs === minute * 60_000}
                  onChange={() => onChoose(minute * 60_000)}
                />
                <span className="hf-num">{formatTime(minute * 60_000, preferences)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
