import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Interval } from '#features/availability/rules/hours.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { nowMs } from '#ui/clock.ts';
import { DateField } from '#ui/dates/when-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import type { Override } from './date-overrides.tsx';
import { IntervalList } from './interval-list.tsx';
import styles from './small-form.module.css';

export interface OverrideDialogProps {
  /** Null: a new one. */
  override: Override | null;
  taken: readonly string[];
  onSave: (override: Override) => void;
  onClose: () => void;
}

/** The hours of one date, or none. Kept in the form behind it, which saves it. */
export function OverrideDialog({ override, taken, onSave, onClose }: OverrideDialogProps) {
  const { t } = useTranslation();
  const { zone } = usePreferences();
  const [today] = useState(() =>
    Temporal.Instant.fromEpochMilliseconds(nowMs()).toZonedDateTimeISO(zone).toPlainDate().toString(),
  );
  const [date, setDate] = useState(override?.date ?? today);
  const [closed, setClosed] = useState(override?.intervals.length === 0);
  const [intervals, setIntervals] = useState<Interval[]>(
    override === null || override.intervals.length === 0 ? [{ start: '09:00', end: '17:00' }] : override.intervals,
  );
  const faults = new Map(
    intervals.flatMap(({ start, end }, n) => (start === end ? [[n, t('availability.weekly.same')] as const] : [])),
  );
  const replaces = date !== override?.date && taken.includes(date);
  const ready = date !== '' && (closed || (faults.size === 0 && intervals.length > 0));
  return (
    <Dialog
      opened
      onClose={onClose}
      title={override === null ? t('availability.overrides.newTitle') : t('availability.overrides.editTitle')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('availability.cancel')}
          </Button>
          <Button type="submit" form="override" disabled={!ready}>
            {t('availability.overrides.keep')}
          </Button>
        </>
      }
    >
      <form
        id="override"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation(); // the form behind it is another one
          if (ready) onSave({ date, intervals: closed ? [] : intervals });
        }}
      >
        <DateField
          label={t('availability.overrides.date')}
          value={date}
          min={today}
          required
          data-autofocus
          description={replaces ? t('availability.overrides.replaces') : undefined}
          onValue={setDate}
        />
        <Checkbox
          label={t('availability.overrides.closedLabel')}
          checked={closed}
          onChange={(event) => setClosed(event.currentTarget.checked)}
        />
        {closed ? null : (
          <IntervalList
            name={t('availability.overrides.thatDay')}
            intervals={intervals}
            faults={faults}
            onChange={setIntervals}
          />
        )}
        <p className={styles.note}>{t('availability.overrides.keptNote')}</p>
      </form>
    </Dialog>
  );
}
