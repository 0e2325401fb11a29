import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ChoiceField } from './choice-field.tsx';
import { type Availability, useCountries, useSetHolidays } from './queries.ts';
import styles from './row-list.module.css';
import form from './small-form.module.css';
import { useDayText } from './use-day-text.ts';

/** The country with public holidays, and the holidays on which the user works. */
export function HolidaysPanel({ holidays }: { holidays: Availability['holidays'] }) {
  const { t } = useTranslation();
  const dayText = useDayText();
  const errorText = useErrorText();
  const countries = useCountries();
  const choose = useSetHolidays();
  const { country, region, days } = holidays;
  const worked = [...new Set(days.filter((one) => one.worked).map(({ rule }) => rule))];
  const regions = countries.data?.countries.find(({ code }) => code === country)?.regions ?? [];
  const toggle = (rule: string, isOff: boolean) =>
    choose.mutate({ country, region, worked: isOff ? worked.filter((one) => one !== rule) : [...worked, rule] });
  const asChoice = ({ code, name }: { code: string; name: string }) => ({ value: code, label: name });
  return (
    <Panel title={t('availability.holidays.title')} text={t('availability.holidays.text')} flush>
      <div className={`${styles.padded} ${form.form}`}>
        {countries.data === undefined ? (
          <Skeleton height={36} />
        ) : (
          <ChoiceField
            label={t('availability.holidays.country')}
            value={country ?? ''}
            data={[{ value: '', label: t('availability.holidays.none') }, ...countries.data.countries.map(asChoice)]}
            nothingFound={t('availability.holidays.unknown')}
            onChange={(code) => choose.mutate({ country: code === '' ? null : code, region: null, worked: [] })}
          />
        )}
        {regions.length > 0 ? (
          <ChoiceField
            label={t('availability.holidays.region')}
            value={region ?? ''}
            data={[{ value: '', label: t('availability.holidays.everywhere') }, ...regions.map(asChoice)]}
            nothingFound={t('availability.holidays.unknown')}
            onChange={(code) => choose.mutate({ country, region: code === '' ? null : code, worked })}
          />
        ) : null}
        {choose.error ? (
          <Banner state="bad" role="alert">
            {errorText(choose.error)}
          </Banner>
        ) : null}
      </div>
      {days.length > 0 ? (
        <ul className={`${styles.rows} ${styles.scroll}`} aria-label={t('availability.holidays.list')}>
          {days.map(({ day, name, rule, worked: isWorked }) => (
            <li key={`${day} ${rule}`} className={styles.row}>
              <Checkbox
                label={name}
                description={dayText(day)}
                checked={!isWorked}
                disabled={choose.isPending}
                onChange={(event) => toggle(rule, event.currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}
