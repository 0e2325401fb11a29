import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { longestReminderMinutes, mostReminders } from '#features/booking/rules/type-settings.ts';
import { AddButton } from '#ui/add-button.tsx';
import { IconButton } from '#ui/button.tsx';
import styles from './fields.module.css';
import { MinutesField } from './minutes-field.tsx';
import type { SectionProps } from './type-draft.ts';

/** Offered in this order to those who add one. */
const usual = [1_440, 60, 15, 2_880, 10_080];

/** Reminders of an event type, each by how long before the start it is sent. */
export function ReminderList({ settings, onChange, errors }: SectionProps) {
  const { t } = useTranslation();
  const reminders = settings.reminders_minutes;
  const put = (reminders_minutes: number[]) => onChange({ reminders_minutes });
  // a row that is removed gives its place, not its unit, to the next one
  const rows = reminders.map((minutes, at) => ({ minutes, at, key: `${reminders.length} ${at}` }));
  const unused = usual.find((minutes) => !reminders.includes(minutes));
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('booking.reminder.title')}</legend>
      <p className={styles.hint}>{t(reminders.length === 0 ? 'booking.reminder.none' : 'booking.reminder.text')}</p>
      {rows.map(({ minutes, at, key }) => {
        const label = t('booking.reminder.nth', { n: at + 1 });
        return (
          <div key={key} className={styles.reminder}>
            <MinutesField
              label={label}
              value={minutes}
              max={longestReminderMinutes}
              error={errors[`settings.reminders_minutes.${at}`]}
              onChange={(changed) => put(reminders.with(at, changed))}
            />
            <IconButton label={t('booking.question.remove', { label })} onClick={() => put(reminders.toSpliced(at, 1))}>
              <IconTrash size={16} aria-hidden />
            </IconButton>
          </div>
        );
      })}
      {errors['settings.reminders_minutes'] === undefined ? null : (
        <p role="alert" className={styles.wrong}>
          {errors['settings.reminders_minutes']}
        </p>
      )}
      {reminders.length < mostReminders && unused !== undefined ? (
        <AddButton onClick={() => put([...reminders, unused])}>{t('booking.reminder.add')}</AddButton>
      ) : null}
    </fieldset>
  );
}
