import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '#ui/text-field.tsx';
import styles from './guests-field.module.css';

/** Minutes before the start. */
const usual = [0, 5, 10, 15, 30, 60, 120, 1_440, 2_880, 10_080];
/** `eventLimits.reminders`, which every provider takes. */
const most = 5;

/** A person's reminders: the calendar's default, none, or times before the start. */
export function RemindersField({
  reminders,
  onChange,
}: {
  reminders: readonly number[] | null;
  onChange: (reminders: number[] | null) => void;
}) {
  const { t } = useTranslation();
  const chosen = reminders ?? [];
  const words = (minutes: number) => {
    if (minutes === 0) return t('editor.reminder.atStart');
    if (minutes % 10_080 === 0) return t('editor.reminder.weeks', { count: minutes / 10_080 });
    if (minutes % 1_440 === 0) return t('editor.reminder.days', { count: minutes / 1_440 });
    if (minutes % 60 === 0) return t('editor.reminder.hours', { count: minutes / 60 });
    return t('editor.reminder.minutes', { count: minutes });
  };
  const free = usual.filter((minutes) => !chosen.includes(minutes));
  const options = [
    { value: 'default', label: t('editor.reminder.default') },
    { value: 'none', label: t('editor.reminder.none') },
    ...(chosen.length > 0 ? [{ value: 'own', label: t('editor.reminder.own', { count: chosen.length }) }] : []),
    ...(chosen.length < most ? free.map((minutes) => ({ value: String(minutes), label: words(minutes) })) : []),
  ];
  return (
    <div>
      <SelectField
        label={t('editor.reminders')}
        value={reminders === null ? 'default' : chosen.length === 0 ? 'none' : 'own'}
        data={options}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value === 'default') onChange(null);
          else if (value === 'none') onChange([]);
          else if (value !== 'own') onChange([...chosen, Number(value)].sort((a, b) => a - b));
        }}
      />
      {chosen.length === 0 ? null : (
        <ul className={styles.list} aria-label={t('editor.reminders')}>
          {chosen.map((minutes) => (
            <li key={minutes} className={styles.chip}>
              <span>{words(minutes)}</span>
              <button
                type="button"
                className={styles.remove}
                aria-label={t('editor.removeReminder', { reminder: words(minutes) })}
                onClick={() => onChange(chosen.filter((one) => one !== minutes))}
              >
                <IconX size={12} stroke={2.4} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
