import { mailtoOf } from '#features/accounts/rules/email.ts';
import { isPhone, telLink } from '../../rules/check-answers.ts';
import { sayDuration } from '../../rules/fill-words.ts';
import { type BookedData, type BookedDate, resultOf } from '../../rules/visit-data.ts';
import { sayDeadline, sayUntil } from '../change-terms.ts';
import { Glyph, type GlyphName } from '../glyph.tsx';
import { ReadingProvider, useReading } from '../reading.tsx';
import { Offset } from '../slot-list.tsx';
import { LongText } from './long-text.tsx';
import { ProofForm } from './proof-form.tsx';

const marks: Record<BookedData['state'] | BookedDate['state'], GlyphName> = {
  confirmed: 'check',
  upcoming: 'calendar',
  over: 'check',
  pending: 'clock',
  'awaiting-mail': 'clock',
  cancelled: 'cross',
  declined: 'cross',
  expired: 'cross',
  'left-out': 'cross',
};

/** The meaning of the state for the guest. No sentence promises a mail without a mail server, or to a reader who stopped mails. */
function textOf({ state, mailAt, beforeMinute, isToldSoon, isGivenUp, isAskedEarlier, ...data }: BookedData): string {
  const hasMail = data.hasMail && (!data.isStopped || state === 'awaiting-mail');
  const isTold = state !== 'declined' && state !== 'expired';
  const isMoved = state === 'confirmed' && beforeMinute !== null;
  if (isMoved && isToldSoon && hasMail) return 'booked.moved-soon-text';
  const what = isGivenUp ? `${state}-moved` : isMoved ? 'moved' : state;
  const isMailed = hasMail || (state === 'awaiting-mail' && mailAt !== null);
  if (isAskedEarlier && isMailed) return 'booked.awaiting-mail-earlier';
  return isMailed || !isTold ? `booked.${what}-text` : `booked.${what}-no-mail`;
}

/** A link or a number is something to press. */
export function Where({ text }: { text: string }) {
  if (text.startsWith('https://')) return <a href={text}>{text}</a>;
  return isPhone(text) ? <a href={telLink(text)}>{text}</a> : text;
}

/** A booking, for whoever has its link. */
export function BookedPage({ data }: { data: BookedData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Booked data={data} />
    </ReadingProvider>
  );
}

function Booked({ data }: { data: BookedData }) {
  const { say, moments, reading } = useReading();
  const { state, host, email, calendars } = data;
  const isOver = marks[state] === 'cross';
  const keptUntil = data.keptUntilMinute ?? data.startMinute;
  return (
    <main
      className="card booked"
      aria-live={data.awaits ? 'polite' : undefined}
      data-awaits={data.awaits ? '' : undefined}
      data-embedded={data.framedPath === null ? undefined : ''}
    >
      <header>
        <span className={`mark ${state}`}>
          <Glyph name={marks[state]} />
        </span>
        <h1>{say(resultOf(data), { host: host.name })}</h1>
        {data.proof === null || state !== 'awaiting-mail' ? (
          <p>
            {say(textOf(data), {
              host: host.name,
              email,
              until: moments.time(keptUntil) + moments.offsetAt(keptUntil),
            })}
          </p>
        ) : (
          <>
            <p>{say(data.proof.says.text ?? '', { email, host: host.name })}</p>
            <ProofForm proof={data.proof} isOver={isOver} />
          </>
        )}
        {data.isStopped && data.hasMail ? <p>{say('booked.stopped', { email })}</p> : null}
        {data.framedPath === null ? null : (
          <p>
            <a href={data.framedPath} target="_blank" rel="noopener">
              {say('booked.own-tab')}
            </a>
          </p>
        )}
        {data.mailAt === null || state !== 'awaiting-mail' || data.proof !== null ? null : (
          <p>
            <a className="button main" href={data.mailAt} target="_top">
              {say('booked.open-mail')}
            </a>
          </p>
        )}
        {data.askAgain === null ? null : (
          <form method="post" action={data.askAgain.to} className="proof">
            {data.askAgain.answer === null ? null : (
              <p role="status">{say(`booked.mail-${data.askAgain.answer}`, { email })}</p>
            )}
            <button type="submit" className="button">
              {say('booked.mail-again')}
            </button>
          </form>
        )}
      </header>
      <dl>
        <dt>{say('booked.what')}</dt>
        <dd>{data.title}</dd>
        <dt>{say('booked.when')}</dt>
        <dd>
          {data.beforeMinute === null ? null : <Before minute={data.beforeMinute} />}
          <span className={isOver ? 'over' : undefined}>{moments.span(data.startMinute, data.durationMinutes)}</span>
          <br />
          <small>
            {sayDuration(say, data.durationMinutes)},{' '}
            {say('zone.name', moments.zoneName(reading.zone, data.startMinute))}
            {data.series === null
              ? null
              : `, ${say('booked.series', { number: data.series.number, count: data.series.count })}`}
          </small>
        </dd>
        <dt>{say('booked.who')}</dt>
        <dd>
          {[host.name, ...data.people].map((person) => (
            <span key={person}>
              {person}
              <br />
            </span>
          ))}
          {data.untold.length === 0 ? null : (
            <small>
              {say(isOver || data.beforeMinute !== null ? 'booked.untold-change' : 'booked.untold', {
                guests: data.untold.join(', '),
              })}
            </small>
          )}
        </dd>
        {data.phone === null ? null : (
          <>
            <dt>{say('booked.phone')}</dt>
            <dd>{data.phone}</dd>
          </>
        )}
        {data.where === null ? null : (
          <>
            <dt>{say('booked.where')}</dt>
            <dd>
              <Where text={data.where} />
            </dd>
          </>
        )}
        {data.reason === null ? null : (
          <>
            <dt>{say('cancel.reason')}</dt>
            <dd>
              <LongText text={data.reason} />
            </dd>
          </>
        )}
        {data.answers.map(({ label, answer }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <LongText text={answer} />
            </dd>
          </div>
        ))}
      </dl>
      {data.proof === null || state === 'awaiting-mail' ? null : (
        <section aria-labelledby="proof">
          <h2 id="proof">{say(data.proof.says.title)}</h2>
          {data.proof.says.text && <p>{say(data.proof.says.text, { host: host.name, email })}</p>}
          <ProofForm proof={data.proof} isOver={isOver} />
        </section>
      )}
      {calendars === null ? null : (
        <section aria-labelledby="add">
          <h2 id="add">{say('booked.add')}</h2>
          <p className="buttons">
            <a className="button" href={calendars.google} target="_blank" rel="noopener">
              {say('booked.google')}
            </a>
            <a className="button" href={calendars.outlook} target="_blank" rel="noopener">
              {say('booked.outlook')}
            </a>
            <a className="button" href={calendars.file}>
              {say('booked.ics')}
            </a>
          </p>
          {data.series === null ? null : <p className="hint">{say('booked.add-series')}</p>}
        </section>
      )}
      {data.series === null ? null : <Dates data={data} dates={data.series.dates} />}
      {data.goOn === null ? null : (
        <p>
          <a className="button main" href={data.goOn} target="_top">
            {say('booked.go-on')}
          </a>
        </p>
      )}
      <footer>
        {data.change.kind === 'open' ? (
          <>
            <h2>{say('booked.manage')}</h2>
            <p>
              {data.change.reschedule !== null
                ? sayDeadline(say, moments, { start: data.startMinute, until: data.change.untilMinute })
                : data.change.untilMinute >= data.startMinute
                  ? say('booked.cancel-until-start')
                  : say('booked.cancel-until', { time: sayUntil(moments, data.change.untilMinute) })}
            </p>
            {data.change.policy === '' ? null : (
              <div className="policy">
                <LongText text={data.change.policy} />
              </div>
            )}
            {data.change.reschedule === null ? <p>{say('booked.no-moves', { host: host.name })}</p> : null}
            <p className="buttons">
              {data.change.reschedule === null ? null : (
                <a className="button" href={data.change.reschedule} target="_top">
                  {say(data.series === null ? 'booked.reschedule' : 'booked.reschedule-date')}
                </a>
              )}
              <a className="button quiet" href={data.change.cancel} target="_top">
                {say(
                  data.series === null
                    ? 'booked.cancel'
                    : data.series.later
                      ? 'booked.cancel-dates'
                      : 'booked.cancel-date',
                )}
              </a>
            </p>
          </>
        ) : data.change.kind === 'too-late' ? (
          <p>{say('booked.too-late')}</p>
        ) : data.change.kind === 'waiting' || data.again === null ? null : (
          <a className="button" href={data.again} target="_top">
            {say('booked.again')}
          </a>
        )}
        {data.isSent ? (
          <p className="banner" role="status">
            {say('booked.message-sent', { host: host.name })}
          </p>
        ) : null}
        {data.contact === null && data.change.kind !== 'waiting' ? null : (
          <p className="buttons">
            {data.contact === null ? null : (
              <a
                className="button"
                href={
                  data.contact.kind === 'form'
                    ? data.contact.to
                    : `${mailtoOf(data.contact.address)}?subject=${encodeURIComponent(data.title)}`
                }
                target={data.contact.kind === 'form' ? '_top' : undefined}
              >
                {say('booked.write', { host: host.name })}
              </a>
            )}
            {data.change.kind === 'waiting' ? (
              <a className="button quiet" href={data.change.cancel} target="_top">
                {say(data.series === null ? 'booked.cancel' : 'booked.cancel-dates')}
              </a>
            ) : null}
          </p>
        )}
      </footer>
    </main>
  );
}

/** The time that it was moved from. */
function Before({ minute }: { minute: number }) {
  const { say, moments } = useReading();
  return (
    <>
      <span className="only-read">{say('booked.before')}: </span>
      <s>{moments.moment(minute)}</s>
      <br />
    </>
  );
}

/** The dates of a series: each is a link to its own page, where it is moved or canceled. */
function Dates({ data, dates }: { data: BookedData; dates: readonly BookedDate[] }) {
  const { say, moments } = useReading();
  const offsetOf = moments.offsetsOf(dates.map(({ startMinute }) => startMinute));
  const isOpen = dates.some(({ path, state }) => path !== null && (state === 'upcoming' || state === 'pending'));
  return (
    <section aria-labelledby="dates">
      <h2 id="dates">{say('booked.dates')}</h2>
      <ol className="every-date">
        {dates.map(({ startMinute, beforeMinute, state, path }) => {
          const isMoved = beforeMinute !== null && state === 'upcoming';
          const time = (
            <span className={marks[state] === 'cross' ? 'over' : undefined}>{moments.moment(startMinute)}</span>
          );
          return (
            <li key={`${startMinute} ${path}`}>
              <Glyph name={marks[state]} />
              <span>
                {state === 'left-out' ? (
                  time
                ) : path === null ? (
                  <b aria-current="page">{time}</b>
                ) : (
                  <a href={path} target="_top">
                    {time}
                  </a>
                )}
                <Offset text={offsetOf(startMinute)} />{' '}
                <small>
                  {say(isMoved ? 'booked.date.moved' : `booked.date.${state}`, { host: data.host.name })}
                  {path === null && state !== 'left-out' ? `, ${say('booked.date.this')}` : null}
                  {isMoved ? <s>{moments.moment(beforeMinute)}</s> : null}
                </small>
              </span>
            </li>
          );
        })}
      </ol>
      {isOpen ? <p className="hint">{say('booked.dates-hint')}</p> : null}
    </section>
  );
}
