import { useTranslation } from 'react-i18next';
import { Segmented } from '#ui/segmented.tsx';

export interface ViewSwitchProps {
  view: 'day' | 'week';
  onView: (view: 'day' | 'week') => void;
  size?: 'xs' | 'sm';
}

export function ViewSwitch({ view, onView, size = 'sm' }: ViewSwitchProps) {
  const { t } = useTranslation();
  return (
    <Segmented
      aria-label={t('calendar.view')}
      size={size}
      value={view}
      onChange={(value) => onView(value === 'day' ? 'day' : 'week')}
      data={[
        { value: 'day', label: t('calendar.day') },
        { value: 'week', label: t('calendar.week') },
      ]}
    />
  );
}
