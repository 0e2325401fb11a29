import { type CancelData, type DeclineData, longestReason, titleOfCancel } from '../../rules/visit-data.ts';
import { LimitedText } from '../form-field.tsx';
import { Glyph } from '../glyph.tsx';
import { ReadingProvider, useReading } from '../reading.tsx';
import { Where } from './booked-page.tsx';
import { LongText } from './long-text.tsx';
import { Meeting } from './meeting.tsx';

/** Asks once more, and why. */
export function CancelPage({ data }: { data: CancelData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Question data={data} />
    </ReadingProvider>
  );
}

function Question({ data }: { data: CancelData }) {
  const { say } = useReading();
  const { series } = data;
  const kind = series === null ? null : series.later === 0 ? 'date' : 'dates';
  return (
    <main className="card notice">
      <form className="details" method="post" action={data.path} data-offline={say('form.offline')}>
        <h1>{say(titleOfCancel(data))}</h1>
        <p>
          <Meeting {...data} series={null} people={[data.host.name, ...data.people]} />
        </p>
        {data.policy === '' ? null : (
          <div className="hint answer">
            <LongText text={data.policy} />
          </div>
        )}
        {data.trouble === null ? null : (
          <p className="banner bad" role="alert">
            <Glyph name="warn" />
            {data.trouble}
          </p>
        )}
        {series === null ? null : <Dates startMinute={data.startMinute} {...series} />}
        <div className="field">
          <label htmlFor="reason">
            {say('cancel.reason')} <small>({say('form.optional')})</small>
          </label>
          <LimitedText
            name="reason"
            rows={3}
            longest={longestReason}
            hint={say(data.hasGuests ? 'cancel.reason-hint-guests' : 'cancel.reason-hint', { host: data.host.name })}
            value={data.reason}
          />
        </div>
        <p className="buttons">
          <button type="submit" className="button bad">
            {say(kind === null ? 'cancel.yes' : `cancel.${kind}.yes`)}
          </button>
          <a className="button" href={data.backTo}>
            {say(kind === 'dates' ? 'cancel.dates.no' : 'cancel.no')}
          </a>
        </p>
      </form>
    </main>
  );
}

/** Says which dates of a series are canceled; the later ones only where its guest chooses that. */
function Dates({ startMinute, later, lastMinute }: { startMinute: number } & NonNullable<CancelData['series']>) {
  const { say, moments } = useReading();
  if (later === 0) return <p className="hint">{say('cancel.others-stay')}</p>;
  const choices = [
    ['no', say('cancel.this', { time: moments.moment(startMinute) })],
    ['yes', say('cancel.later', { n: later, time: moments.moment(lastMinute) })],
  ] as const;
  return (
    <fieldset className="field series choices">
      <legend>{say('cancel.which')}</legend>
      {choices.map(([value, label]) => (
        <div className="field tick" key={value}>
          <input
            id={`following-${value}`}
            type="radio"
            name="following"
            value={value}
            defaultChecked={value === 'no'}
          />
          <label htmlFor={`following-${value}`}>{label}</label>
        </div>
      ))}
    </fieldset>
  );
}

/** Asks a guest who was brought along whether they decline, and says that they have. */
export function DeclinePage({ data }: { data: DeclineData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Decline data={data} />
    </ReadingProvider>
  );
}

function Decline({ data }: { data: DeclineData }) {
  const { say, moments } = useReading();
  const { state, host, guest, dates, declinedMinutes } = data;
  // the list names the dates of a series
  const isListed = dates !== null && dates.length > 1;
  const declined = state === 'declined' && declinedMinutes.length > 0 ? declinedMinutes : [data.startMinute];
  return (
    <main className="card notice">
      <form className="details" method="post" action={data.path} data-offline={say('form.offline')}>
        {state === 'open' ? null : (
          <span className="mark">
            <Glyph name={state === 'declined' ? 'check' : 'calendar'} />
          </span>
        )}
        <h1>{say(`decline.${state}`)}</h1>
        <p>
          <Meeting {...data} starts={isListed ? [] : declined} />
          {data.where === null ? null : (
            <>
              <br />
              <span className="only-read">{say('booked.where')}: </span>
              <Where text={data.where} />
            </>
          )}
        </p>
        <p>{say(`decline.${state}-text`, { host, guest })}</p>
        {data.reason === null ? null : (
          <div className="hint answer">
            {say('cancel.reason')}: <LongText text={data.reason} />
          </div>
        )}
        {state !== 'open' || declinedMinutes.length === 0 ? null : (
          <p className="banner" role="status">
            {say('decline.dates-declined', {
              dates: declinedMinutes.map((minute) => moments.moment(minute)).join('; '),
            })}
          </p>
        )}
        {isListed ? (
          <fieldset className="field series choices">
            <legend>{say('decline.which')}</legend>
            {dates.map(({ id, startMinute, isChosen }) => (
              <div className="field tick" key={id}>
                <input id={id} type="checkbox" name="date" value={id} defaultChecked={isChosen} />
                <label htmlFor={id}>{moments.moment(startMinute)}</label>
              </div>
            ))}
          </fieldset>
        ) : (
          dates?.map(({ id }) => <input key={id} type="hidden" name="date" value={id} />)
        )}
        {state === 'open' ? (
          <p className="buttons">
            <button type="submit" className="button bad">
              {say(isListed ? 'decline.dates.yes' : 'decline.yes')}
            </button>
          </p>
        ) : null}
      </form>
    </main>
  );
}
