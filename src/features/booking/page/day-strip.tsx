import { useEffect, useRef } from 'react';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

const shown = 14;
/** Days after the chosen one, which show that the strip goes on. */
const ahead = 7;

/** On a phone: the days that have times, side by side. */
export function DayStrip({ visit }: { visit: Visit }) {
  const { say, moments } = useReading();
  const strip = useRef<HTMLElement>(null);
  const { day: chosen } = visit.place;
  const days = [...visit.free.keys()];
  const next = days.slice(0, Math.max(shown, days.indexOf(chosen ?? '') + 1 + ahead));
  useEffect(() => {
    if (chosen === null) return;
    // the list only, and not the page around it
    const box = strip.current?.getBoundingClientRect();
    const day = strip.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (box && day) strip.current?.scrollBy(day.left + day.width / 2 - box.left - box.width / 2, 0);
  }, [chosen]);
  if (next.length === 0) return null;
  return (
    <nav className="strip" aria-label={say('chooseDay')} ref={strip}>
      <ul>
        {next.map((day) => (
          <li key={day}>
            <GoLink
              to={visit.linkTo({ day, slot: null })}
              aria-current={chosen === day ? 'date' : undefined}
              suppressHydrationWarning
            >
              <span suppressHydrationWarning>{moments.shortWeekday(day)}</span> <b>{String(Number(day.slice(-2)))}</b>{' '}
              <span suppressHydrationWarning>{moments.shortMonth(day)}</span>
            </GoLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
