import { longestMessage, type MessageData } from '../../rules/visit-data.ts';
import { LimitedText } from '../form-field.tsx';
import { Glyph } from '../glyph.tsx';
import { ReadingProvider, useReading } from '../reading.tsx';
import { Meeting } from './meeting.tsx';

/** A message from the guest of a booking to its host. */
export function MessagePage({ data }: { data: MessageData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Message data={data} />
    </ReadingProvider>
  );
}

function Message({ data }: { data: MessageData }) {
  const { say } = useReading();
  return (
    <main className="card notice">
      <form className="details" method="post" action={data.path} data-offline={say('form.offline')}>
        <h1>{say('booked.write', { host: data.host.name })}</h1>
        <p>
          <Meeting {...data} />
        </p>
        {data.trouble === null ? null : (
          <p className="banner bad" role="alert">
            <Glyph name="warn" />
            {data.trouble}
          </p>
        )}
        <div className="field">
          <label htmlFor="text">{say('message.text')}</label>
          <LimitedText
            name="text"
            rows={6}
            required
            longest={longestMessage}
            hint={say('message.hint', { host: data.host.name, email: data.email })}
            value={data.text}
          />
        </div>
        <p className="buttons">
          <button type="submit" className="button main">
            {say('message.send')}
          </button>
          <a className="button" href={data.backTo}>
            {say('message.back')}
          </a>
        </p>
      </form>
    </main>
  );
}
