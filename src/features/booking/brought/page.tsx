import { Glyph } from '../page/glyph.tsx';
import { ReadingProvider, useReading } from '../page/reading.tsx';
import type { DeclineData } from '../rules/visit-data.ts';

/** Asks a guest who was brought along whether they decline, and says that they have. */
export function DeclinePage({ data }: { data: DeclineData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Question data={data} />
    </ReadingProvider>
  );
}

function Question({ data }: { data: DeclineData }) {
  const { say, moments, reading } = useReading();
  const { state, host, guest, dates } = data;
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
          {data.title}
          <br />
          {moments.moment(data.startMinute)}
          <br />
          <small>{say('zone.name', moments.zoneName(reading.zone, data.startMinute))}</small>
        </p>
        <p>{say(`decline.${state}-text`, { host, guest })}</p>
        {data.reason === null ? null : (
          <p className="hint answer">
            {say('cancel.reason')}: {data.reason}
          </p>
        )}
        {state !== 'open' || dates === null ? null : <p className="hint">{say('decline.dates', { n: dates })}</p>}
        {state === 'open' ? (
          <p className="buttons">
            <button type="submit" className="button bad">
              {say('decline.yes')}
            </button>
          </p>
        ) : null}
      </form>
    </main>
  );
}
