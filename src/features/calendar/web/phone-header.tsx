import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { keepTitleFocus } from '#ui/page-title.ts';
import { type CalendarHeaderProps, TitleButton } from './calendar-header.tsx';
import styles from './calendar-page.module.css';
import { FilterField } from './filter-field.tsx';
import { SearchField } from './search-field.tsx';
import { ViewField } from './view-switch.tsx';

/** One row: the month first, search and filter behind their icon. The arrows stand at the ends of the week strip below. */
export function PhoneHeader(props: CalendarHeaderProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // the field is visible while the address filters, because hidden events need a visible reason
  const open = asked || props.search !== '' || props.filter !== 'all';
  useLayoutEffect(() => {
    if (asked) field.current?.focus();
  }, [asked]);
  const close = () => {
    setAsked(false);
    if (props.search !== '') props.onSearch('');
    if (props.filter !== 'all') props.onFilter('all');
    opener.current?.focus();
  };
  return (
    <header className={styles.phoneHeader}>
      <div className={styles.phoneRow}>
        <IconButton
          label={t('calendar.calendars')}
          aria-keyshortcuts="]"
          aria-expanded={props.isPanelShown}
          onClick={props.onPanel}
        >
          <IconLayoutSidebar size={18} stroke={1.7} aria-hidden />
        </IconButton>
        <h1 className={styles.title} ref={keepTitleFocus} tabIndex={-1} data-page-title>
          <TitleButton title={props.title} onPick={props.onPick} />
        </h1>
        <IconButton
          ref={opener}
          label={t('calendar.search')}
          aria-expanded={open}
          onClick={() => (open ? close() : setAsked(true))}
        >
          <IconSearch size={18} stroke={1.8} aria-hidden />
        </IconButton>
        <Button variant="default" size="xs" onClick={props.onToday}>
          {t('calendar.goToday')}
        </Button>
        <ViewField view={props.view} onView={props.onView} />
      </div>
      {open ? (
        <div className={styles.phoneSearch}>
          <SearchField
            field={field}
            value={props.search}
            found={props.found}
            onSearch={(text) => {
              setAsked(true);
              props.onSearch(text);
            }}
            onEscape={close}
          />
          <FilterField value={props.filter} onFilter={props.onFilter} />
        </div>
      ) : null}
    </header>
  );
}
