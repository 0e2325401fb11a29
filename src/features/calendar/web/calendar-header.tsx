import { IconChevronLeft, IconChevronRight, IconLayoutSidebar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { keepTitleFocus } from '#ui/page-title.ts';
import styles from './calendar-page.module.css';
import { SearchField } from './search-field.tsx';
import { ViewSwitch } from './view-switch.tsx';

export interface CalendarHeaderProps {
  title: string;
  view: 'day' | 'week';
  search: string;
  /** How many events the search leaves; spoken. */
  found: number | undefined;
  onSearch: (text: string) => void;
  onToday: () => void;
  onStep: (direction: -1 | 1) => void;
  onView: (view: 'day' | 'week') => void;
  /** Opens the panel where it is not beside the grid. */
  onPanel: (() => void) | undefined;
}

/** Where in time the calendar is, and how to go elsewhere. */
export function CalendarHeader(props: CalendarHeaderProps) {
  const { t } = useTranslation();
  const { view } = props;
  return (
    <header className={styles.header}>
      {props.onPanel === undefined ? null : (
        <IconButton label={t('calendar.calendars')} onClick={props.onPanel}>
          <IconLayoutSidebar size={18} stroke={1.7} aria-hidden />
        </IconButton>
      )}
      <h1 className={styles.title} ref={keepTitleFocus} tabIndex={-1} data-page-title>
        {props.title}
      </h1>
      <div className={styles.travel}>
        <Button variant="default" size="xs" onClick={props.onToday}>
          {t('calendar.goToday')}
        </Button>
        <IconButton label={t(`calendar.previous.${view}`)} onClick={() => props.onStep(-1)}>
          <IconChevronLeft size={18} aria-hidden />
        </IconButton>
        <IconButton label={t(`calendar.next.${view}`)} onClick={() => props.onStep(1)}>
          <IconChevronRight size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.search}>
        <SearchField value={props.search} found={props.found} onSearch={props.onSearch} />
      </div>
      <ViewSwitch view={view} onView={props.onView} />
    </header>
  );
}
