import { useEffect, useRef } from 'react';
import { addMonths, numberOfDay, writeDay } from '../rules/month-days.ts';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

/** Fewer days than these are continued by the next month. */
const fewDays = 14;
/** Days without times that are shown before the first one that has some. */
const mostEmpty = 4;

/** On a phone: the days of the month side by side, from today on. The chosen one is scrolled into view. */
export function DayStrip({ visit }: { visit: Visit }) {
  const { say, moments } = useReading();
  const { free, today, place, data } = visit;
  const strip = useRef<HTMLElement>(null);
  const days = listDays(visit);
  const next = addMonths(place.month, 1);
  const isShort = days.length < fewDays && next <= data.months.last;
  const { prefetch } = visit;
  useEffect(() => {
    if (isShort) prefetch(next);
  }, [isShort, next, prefetch]);
  const { day: chosen } = place;
  useEffect(() => {
    const day = chosen === null ? null : strip.current?.querySelector(`[data-day="${chosen}"]`);
    if (day === null || day === undefined || strip.current === null) return;
    const [box, own] = [strip.current.getBoundingClientRect(), day.getBoundingClientRect()];
    // today stays in view where there is room for both
    if (own.left >= box.left && own.right <= box.right) return;
    strip.current.scrollLeft += own.left + own.width / 2 - (box.left + box.width / 2);
  }, [chosen]);
  if (days.length === 0) return null;
  return (
    <nav className="strip" aria-label={say('chooseDay')} ref={strip}>
      <ul>
        {days.map((day) => {
          const mark = day === today ? 'today' : undefined;
          const text = (
            <>
              <span suppressHydrationWarning>{moments.shortWeekday(day)}</span> <b>{String(Number(day.slice(-2)))}</b>{' '}
              <span suppressHydrationWarning>{moments.shortMonth(day)}</span>
              {day === today ? <span className="only-read">, {say('day.today')}</span> : null}
            </>
          );
          return (
            <li key={day} data-day={day}>
              {free.has(day) ? (
                <GoLink
                  to={visit.linkTo({ day, slot: null })}
                  className={mark}
                  aria-current={chosen === day ? 'date' : undefined}
                  suppressHydrationWarning
                >
                  {text}
                </GoLink>
              ) : (
                <span className={mark === undefined ? 'none' : `none ${mark}`}>
                  {text}
                  <span className="only-read">, {say('times.none')}</span>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The days of the month from today on, and those of the next month once it is loaded. Empty where none has a time. */
function listDays({ free, today, place: { month } }: Visit): string[] {
  const known = [...free.keys()].filter((day) => day.startsWith(month) || day > month);
  const [first] = known;
  if (first === undefined) return [];
  const next = addMonths(month, 1);
  // the times of a month are loaded with some hours of its neighbors
  const end = known.some((day) => day.startsWith(next) && day > `${next}-01`) ? addMonths(next, 1) : next;
  const start = numberOfDay(today > `${month}-01` ? today : `${month}-01`);
  const from = numberOfDay(first) - start > mostEmpty ? numberOfDay(first) - 1 : start;
  const length = Math.max(0, numberOfDay(`${end}-01`) - from);
  return Array.from({ length }, (_, n) => writeDay(from + n));
}
