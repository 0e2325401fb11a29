import { Glyph } from './glyph.tsx';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

/** The times of the chosen day; each is a link to the form. */
export function SlotList({ visit }: { visit: Visit }) {
  const { say, moments, reading } = useReading();
  const { place, free } = visit;
  const { day } = place;
  const starts = free.get(day ?? '') ?? [];
  const offsetOf = moments.offsetsOf(starts);
  return (
    <section className="times" aria-busy={visit.isLoading}>
      {day === null ? null : (
        <div className="bar">
          <h2 id="times-of-day" aria-label={say('times', { day: moments.day(day) })} suppressHydrationWarning>
            {moments.day(day)}
          </h2>
          <nav className="clock" aria-label={say('clock')}>
            {[true, false].map((hour12) => (
              <GoLink
                key={String(hour12)}
                to={visit.linkToClock(hour12)}
                aria-current={reading.hour12 === hour12}
                rel="nofollow"
              >
                {say(hour12 ? 'clock.12' : 'clock.24')}
              </GoLink>
            ))}
          </nav>
        </div>
      )}
      {visit.problem === 'not-loaded' ? (
        <p className="empty" role="alert">
          {say('load-failed')} <TryAgain act={visit.retry} />
        </p>
      ) : null}
      {day !== null && starts.length === 0 && !visit.isLoading ? <p className="empty">{say('times.none')}</p> : null}
      <ul className="slots" aria-labelledby={day === null ? undefined : 'times-of-day'}>
        {starts.map((minute) => {
          const busy = visit.isBusy(minute);
          const left = visit.seatsLeft(minute);
          if (minute === visit.data.moving?.startMinute)
            return (
              <li key={minute}>
                <span className="own" suppressHydrationWarning>
                  {moments.time(minute)}
                  <small>{say('times.current')}</small>
                </span>
              </li>
            );
          return (
            <li key={minute}>
              <GoLink
                to={visit.linkTo({ slot: minute })}
                rel="nofollow"
                className={busy ? 'slot busy' : 'slot'}
                id={`slot-${minute}`}
                aria-describedby="times-of-day"
                suppressHydrationWarning
              >
                {moments.time(minute)}
                <Offset text={offsetOf(minute)} />
                {visit.recommended.has(minute) ? (
                  <small>
                    <Glyph name="check" />
                    {say('times.recommended')}
                  </small>
                ) : null}
                {left === null ? null : <small>{say('times.seats', { n: left, of: visit.data.type.seats })}</small>}
                {busy ? <small>{say('times.yours-busy')}</small> : null}
              </GoLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Beside a time, where the times of a list differ in it. */
export function Offset({ text }: { text: string }) {
  return text === '' ? null : <small suppressHydrationWarning> {text}</small>;
}

export function TryAgain({ act }: { act(): void }) {
  const { say } = useReading();
  return (
    <button type="button" className="button" onClick={act}>
      {say('try-again')}
    </button>
  );
}
