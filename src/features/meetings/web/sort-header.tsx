import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type ConsoleSearch, tabOf } from './console-search.ts';
import styles from './sort-header.module.css';

type Sort = NonNullable<ConsoleSearch['sort']>;

/** Returns the order of the rows: that of the address, or the default. */
export function orderOf(search: ConsoleSearch): { sort: Sort; order: 'asc' | 'desc' } {
  const tab = tabOf(search);
  const sort = search.sort ?? (tab === 'mirrors' ? 'health' : 'date');
  return { sort, order: search.order ?? (tab === 'past' && sort === 'date' ? 'desc' : 'asc') };
}

/** For `aria-sort` of a column. */
function sortedBy(search: ConsoleSearch, sort: Sort): 'ascending' | 'descending' | undefined {
  const current = orderOf(search);
  if (current.sort !== sort) return undefined;
  return current.order === 'asc' ? 'ascending' : 'descending';
}

/** Properties of a column that orders the rows. */
export function sortable(search: ConsoleSearch, sort: Sort, name: string) {
  return {
    header: (
      <SortHeader search={search} sort={sort}>
        {name}
      </SortHeader>
    ),
    sorted: sortedBy(search, sort),
  };
}

/** The heading of such a column: a link, so that the order is in the address. */
function SortHeader({ search, sort, children }: { search: ConsoleSearch; sort: Sort; children: string }) {
  const { t } = useTranslation();
  const sorted = sortedBy(search, sort);
  const order = sorted === 'ascending' ? 'desc' : 'asc';
  const Arrow = sorted === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <Link
      to="."
      className={styles.sort}
      search={(previous: Record<string, unknown>) => ({ ...previous, sort, order, page: undefined })}
      replace
      aria-label={t('meetings.sortBy', { column: children })}
    >
      {children}
      {sorted ? <Arrow size={13} stroke={2.2} aria-hidden /> : null}
    </Link>
  );
}
