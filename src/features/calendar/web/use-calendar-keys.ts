import { useTranslation } from 'react-i18next';
import { useShortcuts } from '#ui/shortcuts.ts';
import { type CalendarView, calendarViews } from './calendar-search.ts';

const keyOf: Record<CalendarView, string> = { day: 'd', week: 'w', month: 'm', agenda: 'a' };

/** The keys of the calendar, as people know them from others. */
export function useCalendarKeys(act: {
  today: () => void;
  step: (direction: -1 | 1) => void;
  view: (view: CalendarView) => void;
  zones: () => void;
  share: () => void;
  mirrors: () => void;
  panel: () => void;
}): void {
  const { t } = useTranslation();
  const group = t('calendar.title');
  useShortcuts([
    { keys: 't', group, label: t('calendar.goToday'), run: act.today },
    { keys: ['j', 'n'], group, label: t('calendar.keys.next'), run: () => act.step(1), repeats: true },
    { keys: ['k', 'p'], group, label: t('calendar.keys.previous'), run: () => act.step(-1), repeats: true },
    ...calendarViews.map((view) => ({
      keys: keyOf[view],
      group,
      label: t(`calendar.${view}`),
      run: () => act.view(view),
    })),
    { keys: 'z', group, label: t('calendar.zonesAction'), run: act.zones },
    { keys: 's', group, label: t('calendar.share'), run: act.share },
    { keys: 'b', group, label: t('calendar.mirrors'), run: act.mirrors },
    { keys: ']', group, label: t('calendar.keys.panel'), run: act.panel },
  ]);
}
