import { IconArrowDown, IconLock, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Panel } from '#ui/page.tsx';
import { calendarName } from '../calendar-label.tsx';
import type { Shown } from '../group-draft.ts';
import type { Diff, NamedCalendar } from '../queries.ts';
import styles from './block-example.module.css';
import { useRowTime } from './use-row-time.ts';

/** The words about what blocks show, and one event with its block where a new one is to be written. */
export function BlockExample({
  diff,
  shown,
  calendars,
}: {
  diff: Diff | undefined;
  /** How each pair that is on shows an event. */
  shown: ReadonlySet<Shown>;
  calendars: NamedCalendar[];
}) {
  const { t } = useTranslation();
  const onlyBusy = [...shown].every((one) => one === 'busy');
  return (
    <Panel title={t('sync.example.title')}>
      <div className={styles.example}>
        {diff ? <EventAndBlock diff={diff} calendars={calendars} /> : null}
        <p className={styles.note}>
          <IconLock size={16} stroke={1.7} aria-hidden />
          {onlyBusy ? t('sync.example.busy') : t('sync.example.shown')}
        </p>
        <p className={styles.note}>
          <IconRefresh size={16} stroke={1.7} aria-hidden />
          {t('sync.example.follow')}
        </p>
      </div>
    </Panel>
  );
}

function EventAndBlock({ diff, calendars }: { diff: Diff; calendars: NamedCalendar[] }) {
  const { t } = useTranslation();
  const timeOf = useRowTime();
  const found = diff.targets
    .flatMap((target) => target.rows.map((row) => ({ row, calendarId: target.calendarId })))
    .find(({ row }) => row.action === 'create' && row.writes !== null);
  if (found === undefined) return null;
  const { row, calendarId } = found;
  const { day, time } = timeOf(row);
  const when = [day, time].filter(Boolean).join(', ');
  const nameOf = (id: string) => calendarName(calendars, id, t('sync.unknownCalendar'));
  return (
    <>
      <p className={styles.where}>{t('sync.example.yours', { calendar: nameOf(row.sourceCalendarId) })}</p>
      <div className={styles.event}>
        <strong dir="auto">{row.origin.trim() || t('sync.review.untitled')}</strong>
        <span>{when}</span>
      </div>
      <IconArrowDown size={18} stroke={1.7} aria-hidden className={styles.arrow} />
      <p className={styles.where}>{t('sync.example.theirs', { calendar: nameOf(calendarId) })}</p>
      <div className={styles.block}>
        <strong dir="auto">{row.writes}</strong>
        <span>{when}</span>
      </div>
    </>
  );
}
