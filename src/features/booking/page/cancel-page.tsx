import type { CancelData } from '../rules/visit-data.ts';
import { Glyph } from './glyph.tsx';
import { ReadingProvider, useReading } from './reading.tsx';

/** Asks once more, and why. */
export function CancelPage({ data }: { data: CancelData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Question data={data} />
    </ReadingProvider>
  );
}

function Question({ data }: { data: CancelData }) {
  const { say, moments } = useReading();
  return (
    <main className="card notice">
      <form className="details" method="post" action={data.path}>
        <h1>{say('cancel.title')}</h1>
        <p>
          {data.title}
          <br />
          {moments.moment(data.startMinute)}
        </p>
        {data.policy === '' ? null : <p className="hint answer">{data.policy}</p>}
        {data.trouble === null ? null : (
          <p className="banner bad" role="alert">
            <Glyph name="warn" />
            {data.trouble}
          </p>
        )}
        <div className="field">
          <label htmlFor="reason">
            {say('cancel.reason')} <small>({say('form.optional')})</small>
          </label>
          <textarea
            id="reason"
            name="reason"
            rows={3}
            maxLength={1_000}
            aria-describedby="reason-hint"
            defaultValue={data.reason}
          />
          <p className="hint" id="reason-hint">
            {say('cancel.reason-hint')}
          </p>
        </div>
        {data.hasLater ? (
          <div className="field tick">
            <input id="following" type="checkbox" name="following" value="yes" />
            <label htmlFor="following">{say('cancel.following')}</label>
          </div>
        ) : null}
        <p className="buttons">
          <button type="submit" className="button bad">
            {say('cancel.yes')}
          </button>
          <a className="button" href={data.backTo}>
            {say('cancel.no')}
          </a>
        </p>
      </form>
    </main>
  );
}
