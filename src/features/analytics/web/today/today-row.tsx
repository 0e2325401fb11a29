import { IconAlertTriangle, IconArrowsExchange, IconCalendarCheck, IconClock, IconVideo } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { Dashboard } from '../queries.ts';
import { freeSpans, inLanes, type Timed, unionMs } from './plan-day.ts';
import styles from './today-row.module.css';
import { type TimedEvent, useToday } from './use-today.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** Hours of the strip. */
const [stripFrom, stripTo] = [8, 20];
const listed = 3;

/** The first row of the dashboard: today, tomorrow, and this week in one's own calendars, bookings or not. */
export function TodayRow({ health }: { health: Dashboard['calendar_health'] }) {
  const { t } = useTranslation();
  const today = useToday();
  const { error, retry } = today;
  if (error && today.timed.length === 0)
    return (
      <section className={styles.today}>
        <ErrorState title={t('analytics.today.loadFailed')} error={error} onRetry={retry} />
      </section>
    );
  return (
    <>
      <TodayCard {...today} />
      <WeekCard {...today} health={health} />
    </>
  );
}

type Today = ReturnType<typeof useToday>;

function TodayCard({ today, startOf, timed, allDay, nowMs, isPending }: Today) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' });
  const [start, end, tomorrowEnd] = [0, 1, 2].map((days) => startOf(today.add({ days }))) as [number, number, number];
  const of = (from: number, to: number) => timed.filter((one) => one.startMs < to && one.endMs > from);
  const ahead = of(start, end).filter((one) => one.endMs > nowMs);
  const [next, ...later] = ahead;
  const tomorrow = of(end, tomorrowEnd).filter((one) => one.startMs >= end);
  const dates = [today.toString(), today.add({ days: 1 }).toString()] as const;
  const allDayOf = (date: string) =>
    allDay.filter((one) => (one.start_date ?? '') <= date && (one.end_date ?? '') > date);
  return (
    <section className={styles.today} aria-labelledby="today" aria-busy={isPending}>
      <header className={styles.head}>
        <h2 id="today">
          {t('analytics.today.title', { day: day.format(today.toZonedDateTime('UTC').epochMilliseconds) })}
        </h2>
        <Link to="/calendar">{t('analytics.today.open')}</Link>
      </header>
      {next ? <NextEvent event={next} nowMs={nowMs} /> : null}
      <Strip events={of(start, end)} start={start} nowMs={nowMs} />
      <Events events={later} allDay={allDayOf(dates[0])} />
      {next === undefined && !isPending ? <p className={styles.dim}>{t('analytics.today.none')}</p> : null}
      <h3 className={styles.tomorrow}>{t('analytics.today.tomorrow')}</h3>
      <Events events={tomorrow} allDay={allDayOf(dates[1])} />
      {tomorrow.length + allDayOf(dates[1]).length === 0 && !isPending ? (
        <p className={styles.dim}>{t('analytics.today.nothing')}</p>
      ) : null}
    </section>
  );
}

function NextEvent({ event, nowMs }: { event: TimedEvent; nowMs: number }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const isOn = event.startMs <= nowMs;
  const minutes = Math.ceil(((isOn ? event.endMs : event.startMs) - nowMs) / minuteMs);
  const left =
    minutes < 60
      ? t('analytics.today.minutes', { n: minutes })
      : t('analytics.today.hours', { h: Math.floor(minutes / 60), n: minutes % 60 });
  const link = event.meeting_link !== null && /^https?:/.test(event.meeting_link) ? event.meeting_link : null;
  return (
    <div className={styles.next}>
      <div className={styles.what}>
        <p className={styles.title} dir="auto">
          <TitleLink event={event} />
        </p>
        <p className={styles.dim}>
          {formatTime(event.startMs, preferences)} – {formatTime(event.endMs, preferences)}
          {event.location === '' ? null : ` · ${event.location}`}
        </p>
      </div>
      <span className={styles.left}>{t(isOn ? 'analytics.today.left' : 'analytics.today.in', { left })}</span>
      {link === null ? null : (
        <ButtonAnchor
          href={link}
          target="_blank"
          rel="noreferrer noopener"
          leftSection={<IconVideo size={16} aria-hidden />}
        >
          {t('analytics.today.join')}
        </ButtonAnchor>
      )}
    </div>
  );
}

function TitleLink({ event }: { event: TimedEvent | Today['allDay'][number] }) {
  const { t } = useTranslation();
  const { zone } = usePreferences();
  const day =
    event.start_date ?? Temporal.Instant.from(event.start_time).toZonedDateTimeISO(zone).toPlainDate().toString();
  return (
    <Link to="/calendar" search={{ day, event: event.event_id }} className={styles.link}>
      {event.title || t('analytics.today.untitled')}
    </Link>
  );
}

/** The day from 8 to 20 in two lanes; the list below says the same in words. */
function Strip({ events, start, nowMs }: { events: readonly TimedEvent[]; start: number; nowMs: number }) {
  const preferences = usePreferences();
  const from = start + stripFrom * hourMs;
  const length = (stripTo - stripFrom) * hourMs;
  const at = (ms: number) => Math.min(100, Math.max(0, (100 * (ms - from)) / length));
  return (
    <div className={styles.strip} aria-hidden="true">
      <div className={styles.lanes}>
        {inLanes(events)
          .filter(({ event }) => event.endMs > from && event.startMs < from + length)
          .map(({ event, lane }) => (
            <span
              key={event.event_id}
              className={styles.bar}
              data-lane={lane}
              style={{ insetInlineStart: `${at(event.startMs)}%`, width: `${at(event.endMs) - at(event.startMs)}%` }}
            />
          ))}
        {nowMs > from && nowMs < from + length ? (
          <span className={styles.now} style={{ insetInlineStart: `${at(nowMs)}%` }} />
        ) : null}
      </div>
      <div className={styles.hours}>
        {Array.from({ length: 4 }, (_, n) => stripFrom + 4 * n).map((hour) => (
          <span key={hour}>{formatTime(start + hour * hourMs, preferences)}</span>
        ))}
      </div>
    </div>
  );
}

function Events({ events, allDay }: { events: readonly TimedEvent[]; allDay: Today['allDay'] }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const rows = [
    ...allDay.map((event) => ({ event, when: t('analytics.today.allDay') })),
    ...events.map((event) => ({ event, when: formatTime(event.startMs, preferences) })),
  ];
  if (rows.length === 0) return null;
  return (
    <ul className={styles.events}>
      {rows.slice(0, listed).map(({ event, when }) => (
        <li key={event.event_id}>
          <span className={styles.when}>{when}</span>
          <span className={styles.title} dir="auto">
            <TitleLink event={event} />
          </span>
        </li>
      ))}
      {rows.length > listed ? (
        <li className={styles.dim}>{t('analytics.today.more', { count: rows.length - listed })}</li>
      ) : null}
    </ul>
  );
}

function WeekCard({
  today,
  days,
  startOf,
  timed,
  open,
  counts,
  nowMs,
  isPending,
  health,
}: Today & { health: Dashboard['calendar_health'] }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const { locale } = preferences;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const hoursOf = (ms: number) => t('analytics.today.hoursOf', { hours: number.format(ms / hourMs) });
  const meetings = timed.filter((one) => one.attendees.length > 0);
  const perDay = days.map((date) => ({
    date,
    ms: unionMs(meetings, startOf(date), startOf(date.add({ days: 1 }))),
  }));
  const sum = perDay.reduce((total, { ms }) => total + ms, 0);
  const most = Math.max(1, ...perDay.map(({ ms }) => ms));
  const dayEnd = startOf(today.add({ days: 1 }));
  const taken: Timed[] = timed.filter((one) => one.class === 'busy' || one.class === 'soft');
  const free = freeSpans(open, taken, nowMs, dayEnd).filter((one) => one.endMs - one.startMs >= 15 * minuteMs);
  const freeText = free
    .slice(0, 2)
    .map((one) => `${formatTime(one.startMs, preferences)} – ${formatTime(one.endMs, preferences)}`)
    .join(', ');
  const name = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'narrow' });
  const long = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long' });
  const utc = (date: (typeof days)[number]) => date.toZonedDateTime('UTC').epochMilliseconds;
  const blocks = counts ? counts.created + counts.pending + counts.failed : 0;
  const synced = health?.connected_calendars.filter(({ status }) => status !== 'error').length ?? 0;
  return (
    <section className={styles.week} aria-labelledby="week">
      <header className={styles.head}>
        <h2 id="week">{t('analytics.today.week')}</h2>
      </header>
      <p className={styles.sum}>
        <strong>{isPending ? '–' : hoursOf(sum)}</strong>{' '}
        <span className={styles.dim}>{t('analytics.today.inMeetings')}</span>
      </p>
      <ul className={styles.days}>
        {perDay.map(({ date, ms }) => (
          <li key={date.toString()} data-today={date.equals(today) || undefined}>
            <span className={styles.column} aria-hidden="true">
              <span style={{ height: `${(100 * ms) / most}%` }} />
            </span>
            <span aria-hidden="true">{name.format(utc(date))}</span>
            <span className="hf-sr-only">
              {long.format(utc(date))}: {hoursOf(ms)}
            </span>
          </li>
        ))}
      </ul>
      <dl className={styles.facts}>
        <WeekFact Icon={IconClock} name={t('analytics.today.free')}>
          <Link to="/calendar" search={{ view: 'day' }}>
            {isPending ? '–' : hoursOf(free.reduce((total, one) => total + one.endMs - one.startMs, 0))}
          </Link>
          {freeText === '' ? null : <span className={styles.dim}>{freeText}</span>}
        </WeekFact>
        {counts && counts.requests > 0 ? (
          <WeekFact Icon={IconAlertTriangle} name={t('analytics.today.decisions')}>
            <Link to="/meetings">{counts.requests}</Link>
          </WeekFact>
        ) : null}
        {blocks > 0 ? (
          <WeekFact Icon={IconArrowsExchange} name={t('analytics.today.blocks')}>
            <Link to="/meetings" search={{ tab: 'mirrors' }}>
              {t('analytics.today.of', { part: counts?.created ?? 0, whole: blocks })}
            </Link>
          </WeekFact>
        ) : null}
        {health === null || health.total_connected === 0 ? null : (
          <WeekFact Icon={IconCalendarCheck} name={t('analytics.today.synced')}>
            <Link to="/integrations">{t('analytics.today.of', { part: synced, whole: health.total_connected })}</Link>
          </WeekFact>
        )}
      </dl>
    </section>
  );
}

function WeekFact({ Icon, name, children }: { Icon: typeof IconClock; name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <Icon size={17} stroke={1.6} aria-hidden /> {name}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
