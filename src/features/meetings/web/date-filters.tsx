import { useTranslation } from 'react-i18next';
import { DateField } from '#ui/dates/when-field.tsx';
import styles from './console-filters.module.css';

/** The first and the last day of the meetings that are listed. */
export function DateFilters({
  from,
  to,
  onChange,
}: {
  from: string | undefined;
  to: string | undefined;
  onChange: (days: { from?: string | undefined; to?: string | undefined }) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <DateField
        className={styles.day}
        aria-label={t('meetings.filter.from')}
        placeholder={t('meetings.filter.from')}
        value={from ?? ''}
        max={to}
        onValue={(value) => onChange({ from: value || undefined })}
      />
      <DateField
        className={styles.day}
        aria-label={t('meetings.filter.to')}
        placeholder={t('meetings.filter.to')}
        value={to ?? ''}
        min={from}
        onValue={(value) => onChange({ to: value || undefined })}
      />
    </>
  );
}
