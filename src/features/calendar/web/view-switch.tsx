import { useTranslation } from 'react-i18next';
import { PlainSelect } from '#ui/plain-field.tsx';
import { Segmented } from '#ui/segmented.tsx';
import styles from './calendar-page.module.css';
import { type CalendarView, calendarViews } from './calendar-search.ts';

export interface ViewSwitchProps {
  view: CalendarView;
  onView: (view: CalendarView) => void;
}

/** All views side by side. */
export function ViewSwitch({ view, onView }: ViewSwitchProps) {
  const { t } = useTranslation();
  return (
    <Segmented
      aria-label={t('calendar.view')}
      size="sm"
      value={view}
      onChange={(value) => onView(value as CalendarView)}
      data={calendarViews.map((value) => ({ value, label: t(`calendar.${value}`) }))}
    />
  );
}

/** The same where a phone has no room for four words. */
export function ViewField({ view, onView }: ViewSwitchProps) {
  const { t } = useTranslation();
  return (
    <PlainSelect
      aria-label={t('calendar.view')}
      className={styles.viewField}
      value={view}
      onChange={(event) => onView(event.currentTarget.value as CalendarView)}
      data={calendarViews.map((value) => ({ value, label: t(`calendar.${value}`) }))}
    />
  );
}
