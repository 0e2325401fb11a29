import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

const shown = 14;

/** On a phone: the next days that have times, side by side. */
export function DayStrip({ visit }: { visit: Visit }) {
  const { say, moments } = useReading();
  const days = [...visit.free.keys()];
  const from = Math.max(0, Math.min(days.indexOf(visit.place.day ?? ''), days.length - shown));
  const next = days.length <= shown ? days : days.slice(from, from + shown);
  if (next.length === 0) return null;
  return (
    <nav className="strip" aria-label={say('chooseDay')}>
      <ul>
        {next.map((day) => (
          <li key={day}>
            <GoLink
              to={visit.linkTo({ day, slot: null })}
              aria-current={visit.place.day === day ? 'date' : undefined}
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
