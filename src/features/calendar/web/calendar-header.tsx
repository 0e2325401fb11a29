import { IconChevronLeft, IconChevronRight, IconLayoutSidebar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { keepTitleFocus } from '#ui/page-title.ts';
import styles from './calendar-page.module.css';
import type { CalendarView, EventFilter } from './calendar-search.ts';
import { FilterField } from './filter-field.tsx';
import { SearchField } from './search-field.tsx';
import { ViewSwitch } from './view-switch.tsx';

export interface CalendarHeaderProps {
  title: string;
  /** Number of the week in view, for who reads by it. */
  week: number | undefined;
  view: CalendarView;
  search: string;
  filter: EventFilter;
  /** How many events search and filter leave; spoken. */
  found: number | undefined;
  onSearch: (text: string) => void;
  onFilter: (filter: EventFilter) => void;
  onToday: () => void;
  onStep: (direction: -1 | 1) => void;
  onView: (view: CalendarView) => void;
  /** Opens the panel where it is not beside the grid. */
  onPanel: (() => void) | undefined;
}

/** Where in time the calendar is, how to go elsewhere, and what of it is shown. */
export function CalendarHeader(props: CalendarHeaderProps) {
  const { t } = useTranslation();
  const { view } = props;
  return (
    <header className={styles.head}>
      <div className={styles.header}>
        <div className={styles.travel}>
          {props.onPanel === undefined ? null : (
            <IconButton label={t('calendar.calendars')} onClick={props.onPanel}>
              <IconLayoutSidebar size={18} stroke={1.7} aria-hidden />
            </IconButton>
          )}
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
        <h1 className={styles.title} ref={keepTitleFocus} tabIndex={-1} data-page-title>
          {props.title}
        </h1>
        {props.week === undefined ? null : (
          <span className={styles.week}>{t('calendar.weekNumber', { week: props.week })}</span>
        )}
        <div className={styles.search}>
          <SearchField value={props.search} found={props.found} onSearch={props.onSearch} />
          <FilterField value={props.filter} onFilter={props.onFilter} />
        </div>
        <ViewSwitch view={view} onView={props.onView} />
      </div>
    </header>
  );
}
