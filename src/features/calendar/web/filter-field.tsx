import { useTranslation } from 'react-i18next';
import { PlainSelect } from '#ui/plain-field.tsx';
import styles from './calendar-page.module.css';
import { type EventFilter, eventFilters } from './calendar-search.ts';

/** Thins out what is on screen by whom it is with. */
export function FilterField({ value, onFilter }: { value: EventFilter; onFilter: (filter: EventFilter) => void }) {
  const { t } = useTranslation();
  return (
    <PlainSelect
      className={styles.filter}
      aria-label={t('calendar.filter.label')}
      value={value}
      data={eventFilters.map((filter) => ({ value: filter, label: t(`calendar.filter.${filter}`) }))}
      onChange={(event) => onFilter(event.currentTarget.value as EventFilter)}
    />
  );
}
