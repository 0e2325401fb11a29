import { useTranslation } from 'react-i18next';
import type { Span } from '#kernel/time/intervals.ts';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { BusyMember } from '../queries.ts';
import styles from './busy-day.module.css';
import { placeIn, type WeekDay } from './team-week.ts';

interface BusyDayProps {
  day: WeekDay;
  hours: { from: number; to: number };
  members: readonly BusyMember[];
  /** When any of them is busy or away. */
  all: readonly Span[];
}

/** One day: a line for each member, and one for all of them together. */
export function BusyDay({ day, hours, members, all }: BusyDayProps) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const isToday = day.startMs <= nowMs && nowMs < day.endMs;
  const now = placeIn(day, hours, { startMs: nowMs, endMs: nowMs + 60_000 });
  const ticks = Array.from({ length: hours.to - hours.from + 1 }, (_, n) => hours.from + n).filter(
    (hour) => hour % 2 === 0 && hour < hours.to,
  );
  const leftOf = (hour: number) => `${((hour - hours.from) / (hours.to - hours.from)) * 100}%`;
  return (
    <section className={styles.day} data-today={isToday || undefined}>
      <h3 className={styles.name}>{formatDay(day.startMs, preferences, nowMs)}</h3>
      <div className={styles.scale} aria-hidden>
        {ticks.map((hour) => (
          <span key={hour} style={{ left: leftOf(hour) }}>
            {hourName(hour, preferences.timeFormat)}
          </span>
        ))}
      </div>
      {members.map(({ user_id, name, away, busy }) => (
        <Line
          key={user_id}
          name={name}
          day={day}
          hours={hours}
          now={now}
          away={away.map(({ start, end }) => ({ startMs: start, endMs: end }))}
          spans={busy.map(({ start, end, title }) => ({ startMs: start, endMs: end, title }))}
        />
      ))}
      {members.length > 1 ? (
        <Line
          name={t('teams.calendar.together')}
          day={day}
          hours={hours}
          now={now}
          together
          spans={all.map((span) => ({ ...span, title: null }))}
        />
      ) : null}
    </section>
  );
}

interface LineProps extends Pick<BusyDayProps, 'day' | 'hours'> {
  name: string;
  away?: readonly Span[];
  spans: readonly (Span & { title: string | null })[];
  now: { left: number } | null;
  together?: boolean;
}

function Line({ name, day, hours, away = [], spans, now, together }: LineProps) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const placed = spans.flatMap((span) => {
    const place = placeIn(day, hours, span);
    return place === null ? [] : [{ ...span, place }];
  });
  const off = away.flatMap((span) => {
    const place = placeIn(day, hours, span);
    return place === null ? [] : [{ ...span, place }];
  });
  const timesOf = ({ startMs, endMs }: Span) =>
    startMs <= day.startMs && endMs >= day.endMs
      ? t('teams.calendar.allDay')
      : `${formatTime(Math.max(startMs, day.startMs), preferences)}–${formatTime(Math.min(endMs, day.endMs), preferences)}`;
  return (
    <div className={styles.line} data-together={together || undefined}>
      <span className={styles.who}>{name}</span>
      <ul className={styles.strip} aria-label={name}>
        {off.map((span) => (
          <li
            key={span.startMs}
            className={styles.away}
            style={{ left: `${span.place.left * 100}%`, width: `${span.place.width * 100}%` }}
          >
            <span aria-hidden>{t('teams.calendar.away')}</span>
            <span className="hf-sr-only">{`${timesOf(span)} ${t('teams.calendar.away')}`}</span>
          </li>
        ))}
        {placed.map((span) => {
          const words = `${timesOf(span)} ${span.title ?? t('teams.calendar.busy')}`;
          return (
            <li
              key={`${span.startMs} ${span.endMs} ${span.title ?? ''}`}
              className={styles.block}
              title={words}
              style={{ left: `${span.place.left * 100}%`, width: `${span.place.width * 100}%` }}
            >
              {span.title === null ? (
                <span className="hf-sr-only">{words}</span>
              ) : (
                <>
                  <span aria-hidden>{span.title}</span>
                  <span className="hf-sr-only">{words}</span>
                </>
              )}
            </li>
          );
        })}
        {placed.length + off.length === 0 ? <li className="hf-sr-only">{t('teams.calendar.free')}</li> : null}
      </ul>
      {now === null ? null : (
        <span className={styles.now} style={{ '--at': now.left } as React.CSSProperties} aria-hidden />
      )}
    </div>
  );
}

const hourName = (hour: number, format: '12h' | '24h') =>
  format === '24h' ? `${hour}:00` : `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`;
