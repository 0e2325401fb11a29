import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { MirrorRule } from '#features/sync/rules/mirror-rule.ts';
import { weekdayNames } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { Switch } from '#ui/switch.tsx';
import styles from './hours-field.module.css';

// Few rules have hours.
const TimeField = lazy(async () => ({ default: (await import('#ui/dates/when-field.tsx')).TimeField }));

type Hours = NonNullable<MirrorRule['hours']>;

/** Mirror only what touches these hours on these weekdays, or always. */
export function HoursField({ value, onChange }: { value: Hours | null; onChange: (hours: Hours | null) => void }) {
  const { t } = useTranslation();
  const { zone, locale, weekStart } = usePreferences();
  const names = weekdayNames(locale);
  const days = Array.from({ length: 7 }, (_, step) => ((weekStart - 1 + step) % 7) + 1);
  const usual: Hours = { start: '09:00', end: '17:00', weekdays: [1, 2, 3, 4, 5], zone };
  return (
    <div className={styles.field}>
      <Switch
        label={t('sync.rule.hours.label')}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usual : null)}
      />
      {value ? (
        <Suspense fallback={null}>
          <div className={styles.choice}>
            <TimeField
              label={t('sync.rule.hours.start')}
              value={value.start}
              onValue={(start) => onChange({ ...value, start: start || value.start })}
            />
            <TimeField
              label={t('sync.rule.hours.end')}
              value={value.end === '24:00' ? '00:00' : value.end}
              onValue={(typed) => {
                const end = typed || value.end;
                onChange({ ...value, end: end === '00:00' ? '24:00' : end });
              }}
            />
            <fieldset className={styles.days}>
              <legend>{t('sync.rule.hours.days')}</legend>
              {days.map((day) => (
                <label key={day} className={styles.day}>
                  <input
                    type="checkbox"
                    className="hf-sr-only"
                    checked={value.weekdays.includes(day)}
                    onChange={(event) =>
                      onChange({
                        ...value,
                        weekdays: event.currentTarget.checked
                          ? [...value.weekdays, day].sort((a, b) => a - b)
                          : value.weekdays.filter((one) => one !== day),
                      })
                    }
                  />
                  <span>{names[day - 1]}</span>
                </label>
              ))}
            </fieldset>
            <p className={styles.zone}>{t('sync.rule.hours.zone', { zone: value.zone })}</p>
          </div>
        </Suspense>
      ) : null}
    </div>
  );
}
