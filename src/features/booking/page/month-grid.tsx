import type { KeyboardEvent } from 'react';
import { addMonths, numberOfDay, weeksOf, writeDay } from '../rules/month-days.ts';
import { Glyph } from './glyph.tsx';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month with its free days as links; the arrows of the keyboard go from one free day to the next in that direction. */
export function MonthGrid({ visit }: { visit: Visit }) {
  const { say, moments } = useReading();
  const { data, place, free, today } = visit;
  const previous = place.month > data.months.first ? addMonths(place.month, -1) : null;
  const next = place.month < data.months.last ? addMonths(place.month, 1) : null;
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    const from = (event.target as HTMLElement).dataset.day;
    if (step === undefined || from === undefined) return;
    event.preventDefault();
    for (let day = numberOfDay(from) + step, tries = 0; tries < 31; day += step, tries += 1) {
      const found = event.currentTarget.querySelector<HTMLElement>(`a[data-day="${writeDay(day)}"]`);
      if (found !== null) return found.focus();
    }
  };
  return (
    <section className="month" aria-label={say('chooseDay')}>
      <div className="bar">
        <h2 aria-live="polite" suppressHydrationWarning>
          {moments.month(place.month)}
        </h2>
        <MonthLink visit={visit} month={previous} label={say('month.previous')} glyph="left" />
        <MonthLink visit={visit} month={next} label={say('month.next')} glyph="right" />
      </div>
      <table onKeyDown={move} aria-busy={visit.isLoading}>
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, at) => moments.weekdays[(at + moments.firstWeekday) % 7]).map((weekday) => (
              <th key={weekday?.long} scope="col" abbr={weekday?.long} suppressHydrationWarning>
                {weekday?.short.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(place.month, moments.firstWeekday).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a week has seven places
                <td key={at}>
                  {day === null ? null : (
                    <Day visit={visit} day={day} count={free.get(day)?.length ?? 0} isToday={day === today} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {free.size === 0 && !visit.isLoading ? <EmptyMonth visit={visit} /> : null}
    </section>
  );
}

function Day({ visit, day, count, isToday }: { visit: Visit; day: string; count: number; isToday: boolean }) {
  const { say, moments } = useReading();
  const date = String(Number(day.slice(-2)));
  const mark = isToday ? 'today' : undefined;
  if (count === 0) return <span className={mark}>{date}</span>;
  const label = [moments.day(day), say('day.free', { n: count }), ...(isToday ? [say('day.today')] : [])].join(', ');
  return (
    <GoLink
      to={visit.linkTo({ day, slot: null })}
      className={mark}
      data-day={day}
      aria-label={label}
      aria-current={visit.place.day === day ? 'date' : undefined}
      suppressHydrationWarning
    >
      {date}
    </GoLink>
  );
}

function MonthLink(props: { visit: Visit; month: string | null; label: string; glyph: 'left' | 'right' }) {
  const { visit, month, label, glyph } = props;
  if (month === null) return <span className="icon" aria-hidden="true" />;
  // a pointer over the arrow precedes a visit of that month
  const prefetch = () => visit.prefetch(month);
  return (
    <GoLink
      to={visit.linkTo({ month, day: null, slot: null })}
      className="icon"
      aria-label={label}
      rel="nofollow"
      onPointerEnter={prefetch}
      onFocus={prefetch}
    >
      <Glyph name={glyph} />
    </GoLink>
  );
}

function EmptyMonth({ visit }: { visit: Visit }) {
  const { say, moments } = useReading();
  const { nextStart, place } = visit;
  if (visit.withheld) return <p className="empty">{say('month.withheld', { host: visit.data.host.name })}</p>;
  if (nextStart === undefined) return null;
  if (nextStart === null) {
    const { host, moving } = visit.data;
    return (
      <p className="empty">
        {say('month.none')}{' '}
        {host.path === null || moving !== null ? null : (
          <a className="button" href={host.path} target="_top">
            {say('month.others', { host: host.name })}
          </a>
        )}
      </p>
    );
  }
  const day = moments.dayOf(nextStart);
  return (
    <p className="empty" suppressHydrationWarning>
      {say('month.empty', { month: moments.month(place.month) })}{' '}
      <GoLink
        to={visit.linkTo({ month: day.slice(0, 7), day, slot: null })}
        className="button"
        suppressHydrationWarning
      >
        {say('month.next-free', { day: moments.day(day) })}
      </GoLink>
    </p>
  );
}
