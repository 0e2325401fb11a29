import { useTranslation } from 'react-i18next';
import { Segmented } from '#ui/segmented.tsx';
import { type CalendarView, calendarViews } from './shown-range.ts';

export interface ViewSwitchProps {
  view: CalendarView;
  onView: (view: CalendarView) => void;
  size?: 'xs' | 'sm';
}

export function ViewSwitch({ view, onView, size = 'sm' }: ViewSwitchProps) {
  const { t } = useTranslation();
  return (
    <Segmented
      aria-label={t('calendar.view')}
      size={size}
      value={view}
      onChange={(value) => onView(value as CalendarView)}
      data={calendarViews.map((value) => ({ value, label: t(`calendar.${value}`) }))}
    />
  );
}
