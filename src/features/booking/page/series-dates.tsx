import type { SeriesDate } from '../rules/visit-data.ts';
import { dateField, leftOut } from '../rules/write-booking.ts';
import { Glyph } from './glyph.tsx';
import { useReading } from './reading.tsx';
import { Offset, TryAgain } from './slot-list.tsx';
import type { Filling } from './use-filling.ts';

/** The dates of a series as they stand; one that is not free can be left out, or booked at another time. */
export function SeriesDates({ filling }: { filling: Filling }) {
  const { say, moments } = useReading();
  const { dates, isUnknown, reload } = filling.series;
  if (isUnknown)
    return (
      <p className="banner bad" role="alert">
        {say('load-failed')} <TryAgain act={reload} />
      </p>
    );
  if (dates === null) return null;
  const offsetOf = moments.offsetsOf(dates.flatMap(({ start, instead }) => [start, ...instead]));
  const booked = dates.filter((date) => chosenFor(filling, date) !== leftOut).length;
  return (
    <fieldset className="field series">
      <legend>{say('series.title')}</legend>
      <ol>
        {dates.map((date) => (
          <li key={date.start}>
            <SeriesDateLine date={date} filling={filling} offsetOf={offsetOf} />
          </li>
        ))}
      </ol>
      <p role="status">{say('series.booked', { n: booked, of: dates.length })}</p>
    </fieldset>
  );
}

interface LineProps {
  date: SeriesDate;
  filling: Filling;
  offsetOf(minute: number): string;
}

function SeriesDateLine({ date, filling, offsetOf }: LineProps) {
  const { say, moments } = useReading();
  const name = dateField(date.start);
  const moment = moments.moment(date.start);
  if (date.state === 'free')
    return (
      <span suppressHydrationWarning>
        <Glyph name="check" />
        {moment}
        <Offset text={offsetOf(date.start)} /> <small>{say('series.free')}</small>
      </span>
    );
  return (
    <>
      <label htmlFor={name} suppressHydrationWarning>
        <Glyph name="warn" />
        {moment}
        <Offset text={offsetOf(date.start)} /> <small>{say(`series.${date.state}`)}</small>
      </label>
      <select
        id={name}
        name={name}
        value={chosenFor(filling, date)}
        onChange={(event) => filling.type(name, event.target.value)}
        suppressHydrationWarning
      >
        <option value={leftOut}>{say('series.leave-out')}</option>
        {date.instead.map((minute) => (
          <option key={minute} value={minute}>
            {moments.moment(minute)} {offsetOf(minute)}
          </option>
        ))}
      </select>
    </>
  );
}

const chosenFor = ({ typed }: Filling, { start, state }: SeriesDate) =>
  state === 'free' ? '' : (typed[dateField(start)] ?? leftOut);
