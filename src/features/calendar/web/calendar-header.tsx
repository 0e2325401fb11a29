import { IconChevronDown, IconChevronLeft, IconChevronRight, IconLayoutSidebar, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { keepTitleFocus } from '#ui/page-title.ts';
import styles from './calendar-page.module.css';
import type { CalendarView, EventFilter } from './calendar-search.ts';
import { FilterField } from './filter-field.tsx';
import { ViewSwitch } from './view-switch.tsx';

export interface CalendarHeaderProps {
  title: string;
  /** Opens the choice of a date below the title. */
  onPick: (anchor: HTMLElement) => void;
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
  /** Shows or hides the panel: beside the grid, or over it where there is no room. */
  onPanel: () => void;
  isPanelShown: boolean;
}

/** Where in time the calendar is, how to go elsewhere, and what of it is shown: in the header of the frame where that has room. */
export function CalendarHeader(props: CalendarHeaderProps) {
  const { t } = useTranslation();
  const { view } = props;
  return (
    <div className={styles.header}>
      <div className={styles.travel}>
        <IconButton
          label={t('calendar.calendars')}
          aria-keyshortcuts="]"
          aria-expanded={props.isPanelShown}
          onClick={props.onPanel}
        >
          <IconLayoutSidebar size={18} stroke={1.7} aria-hidden />
        </IconButton>
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
        <TitleButton title={props.title} onPick={props.onPick} />
      </h1>
      {props.week === undefined ? null : (
        <span className={styles.week}>{t('calendar.weekNumber', { week: props.week })}</span>
      )}
      {props.search === '' ? null : (
        <Button
          variant="default"
          size="xs"
          className={styles.thinned}
          aria-label={t('calendar.clearSearch', { text: props.search })}
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => props.onSearch('')}
        >
          {props.search}
        </Button>
      )}
      <p role="status" className="hf-sr-only">
        {props.found === undefined ? '' : t('calendar.found', { count: props.found })}
      </p>
      <span className={styles.gap} />
      <FilterField value={props.filter} onFilter={props.onFilter} />
      <ViewSwitch view={view} onView={props.onView} />
    </div>
  );
}

/** Where the calendar is, and the way to any other date. */
export function TitleButton({ title, onPick }: { title: string; onPick: (anchor: HTMLElement) => void }) {
  return (
    <button
      type="button"
      className={styles.titleButton}
      aria-haspopup="dialog"
      onClick={(event) => onPick(event.currentTarget)}
    >
      <span>{title}</span>
      <IconChevronDown size={16} stroke={1.8} aria-hidden />
    </button>
  );
}
