import { useEffect, useRef } from 'react';
import { numberOfDay, writeDay } from '../rules/month-days.ts';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

/** On a phone: the days from today, or from the month shown, to the last one with times. The chosen one is scrolled into view. */
export function DayStrip({ visit: { free, today, place, linkTo } }: { visit: Visit }) {
  const { say, moments } = useReading();
  const strip = useRef<HTMLElement>(null);
  const { day: chosen, month } = place;
  useEffect(() => {
    if (chosen !== null)
      strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  const from = numberOfDay(today > month ? today : `${month}-01`);
  const length = numberOfDay([...free.keys()].at(-1) ?? '') - from + 1;
  if (!(length > 0)) return null;
  return (
    <nav className="strip" aria-label={say('chooseDay')} ref={strip}>
      <ul>
        {Array.from({ length }, (_, n) => {
          const day = writeDay(from + n);
          const text = (
            <>
              <span suppressHydrationWarning>{moments.shortWeekday(day)}</span> <b>{+day.slice(-2)}</b>{' '}
              <span suppressHydrationWarning>{moments.shortMonth(day)}</span>
            </>
          );
          return (
            <li key={day} data-day={day} className={day === today ? 'today' : undefined}>
              {free.has(day) ? (
                <GoLink to={linkTo({ day, slot: null })} aria-current={chosen === day ? 'date' : undefined}>
                  {text}
                </GoLink>
              ) : (
                <span className="none" aria-hidden="true">
                  {text}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
