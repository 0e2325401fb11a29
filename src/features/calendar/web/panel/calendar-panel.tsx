import { IconAlertTriangle, IconBroadcast, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { MiniMonth, type MiniMonthProps } from '#ui/dates/mini-month.tsx';
import { useIsCurrent, useIsLive } from '#ui/live-connection.ts';
import { ProviderMark } from '#ui/provider-mark.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { CalendarRow } from '../grid-event.ts';
import styles from './calendar-panel.module.css';
import { PanelOptions, type PanelOptionsProps } from './panel-options.tsx';

export interface CalendarPanelProps extends PanelOptionsProps {
  /** Props of the small month at the top. */
  dates: MiniMonthProps;
  /** undefined while they are fetched. */
  calendars: readonly CalendarRow[] | undefined;
  /** Pairs of events that meet today; undefined while today is fetched. */
  conflictsToday: number | undefined;
  onVisible: (calendarId: string, visible: boolean) => void;
  /** Absent while there is nowhere to write to. */
  onCreate: (() => void) | undefined;
}

/** Which calendars there are, how they are doing, and which of them are shown. */
export function CalendarPanel(props: CalendarPanelProps) {
  const { t } = useTranslation();
  const isLive = useIsLive();
  const isCurrent = useIsCurrent();
  const { calendars } = props;
  if (calendars === undefined) return <PanelSkeleton />;
  const synced = calendars.filter((calendar) => calendar.status === 'ok').length;
  const allSynced = synced === calendars.length;
  const lastSyncedAt = calendars.reduce<string | null>(
    (latest, { lastSyncedAt: at }) => (at !== null && (latest === null || at > latest) ? at : latest),
    null,
  );
  return (
    <div className={styles.panel}>
      <div className={styles.top}>
        {props.onCreate === undefined ? null : <Button onClick={props.onCreate}>{t('calendar.createEvent')}</Button>}
        <MiniMonth {...props.dates} />
      </div>
      <section className={styles.summary} aria-label={t('calendar.summary')}>
        <p className={styles.count}>{t('calendar.connectedCount', { count: calendars.length })}</p>
        {isCurrent ? (
          <p className={styles.fact} data-tone={allSynced ? 'ok' : 'warn'}>
            {allSynced ? <IconCircleCheck size={16} aria-hidden /> : <IconRefresh size={16} aria-hidden />}
            {allSynced ? t('calendar.allSynced') : t('calendar.someSynced', { synced, total: calendars.length })}
          </p>
        ) : null}
        <p className={styles.fact} data-tone={props.conflictsToday ? 'bad' : undefined}>
          {props.conflictsToday ? (
            <IconAlertTriangle size={16} aria-hidden />
          ) : (
            <IconCircleCheck size={16} aria-hidden />
          )}
          {props.conflictsToday === undefined ? (
            <Skeleton width={120} />
          ) : (
            t('calendar.conflictsToday', { count: props.conflictsToday })
          )}
        </p>
      </section>
      <div className={styles.groups}>
        {groupsOf(calendars).map(([provider, list]) => (
          <fieldset key={provider}>
            <legend className={styles.provider}>
              <ProviderMark provider={provider} />
            </legend>
            <ul>
              {list.map((calendar) => (
                <CalendarLine
                  key={calendar.id}
                  calendar={calendar}
                  onVisible={(visible) => props.onVisible(calendar.id, visible)}
                />
              ))}
            </ul>
          </fieldset>
        ))}
      </div>
      <PanelOptions {...props} />
      <footer className={styles.footer}>
        <p>
          {t('calendar.lastSync')} {lastSyncedAt === null ? t('calendar.never') : <RelativeTime at={lastSyncedAt} />}
        </p>
        <p className={styles.live} data-live={isLive}>
          {isLive ? <IconBroadcast size={14} aria-hidden /> : <IconRefresh size={14} aria-hidden />}
          {isLive ? t('calendar.realTime') : t('calendar.reconnecting')}
        </p>
      </footer>
    </div>
  );
}

const statusIcon = { ok: IconCircleCheck, syncing: IconRefresh, error: IconCircleX };

function CalendarLine({ calendar, onVisible }: { calendar: CalendarRow; onVisible: (visible: boolean) => void }) {
  const { t } = useTranslation();
  const Icon = statusIcon[calendar.status];
  return (
    <li className={styles.calendar}>
      {/* The platform's own box: the mark in it keeps its contrast on any colour. */}
      <label className={styles.label}>
        <input
          type="checkbox"
          className={styles.box}
          style={{ accentColor: calendar.color }}
          checked={calendar.visible}
          onChange={(event) => onVisible(event.currentTarget.checked)}
        />
        <span>
          <span className={styles.heading}>
            <span
              className={styles.name}
              title={calendar.name}
              data-address={calendar.name === calendar.email || undefined}
            >
              {calendar.name}
            </span>{' '}
            <span className={styles.badge}>{calendar.badge}</span>
          </span>
          <span className={styles.email}>{calendar.email}</span>
        </span>
      </label>
      <p className={styles.status} data-status={calendar.status}>
        <Icon size={13} stroke={2} aria-hidden />
        {t(`calendar.status.${calendar.status}`)}
      </p>
      {calendar.status === 'error' ? (
        <p className={styles.message}>
          {calendar.message}{' '}
          {calendar.reconnectUrl === null ? (
            <Link to="/integrations">{t('calendar.fix')}</Link>
          ) : (
            // Integrations shows the result.
            <a
              href={`${calendar.reconnectUrl}&returnUrl=${encodeURIComponent(`${window.location.origin}/integrations`)}`}
            >
              {t('calendar.reconnect')}
              <span className="hf-sr-only"> {calendar.email}</span>
            </a>
          )}
        </p>
      ) : null}
      {calendar.unread > 0 ? (
        <p className={styles.unread}>
          <Link to="/integrations" hash={`warnings-${calendar.id}`}>
            {t('calendar.unread', { count: calendar.unread })}
            <span className="hf-sr-only">: {calendar.name}</span>
          </Link>
        </p>
      ) : null}
    </li>
  );
}

function groupsOf(calendars: readonly CalendarRow[]): [string, CalendarRow[]][] {
  const groups = new Map<string, CalendarRow[]>();
  for (const calendar of calendars) {
    const group = groups.get(calendar.provider);
    if (group === undefined) groups.set(calendar.provider, [calendar]);
    else group.push(calendar);
  }
  return [...groups];
}

const ghostRows = [1, 2];

function PanelSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={styles.panel}>
      <div className={styles.summary}>
        <p className={styles.count}>{t('calendar.loading')}</p>
        <p className={styles.fact}>
          <Skeleton width={96} />
        </p>
        <p className={styles.fact}>
          <Skeleton width={132} />
        </p>
      </div>
      <div className={styles.groups}>
        {[2, 1].map((rows) => (
          <div key={rows}>
            <p className={styles.provider}>
              <Skeleton width={72} height={12} />
            </p>
            {ghostRows.slice(0, rows).map((row) => (
              <p key={row} className={styles.ghosts}>
                <Skeleton width={160} />
                <Skeleton width={110} height={10} />
              </p>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

export { DatePicker } from './date-picker.tsx';
export { PanelDrawer } from './panel-drawer.tsx';
