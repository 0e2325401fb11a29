import { Glyph } from '#features/booking/page/glyph.tsx';
import { Avatar } from '#features/booking/page/host-card.tsx';
import { ReadingProvider, useReading } from '#features/booking/page/reading.tsx';
import type { FormData } from '../rules/form-page-data.ts';
import { AnswerField } from './answer-field.tsx';

/** The page of a form. A plain HTML form: mistakes come back with all answers. */
export function FormPage({ data }: { data: FormData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Parts data={data} />
    </ReadingProvider>
  );
}

function Parts({ data }: { data: FormData }) {
  const { say } = useReading();
  const { host, questions, complaints } = data;
  const shown = questions.filter(({ hidden }) => hidden !== true);
  const wrong = shown.filter(({ id }) => complaints[id] !== undefined);
  return (
    <main className="card asking" data-embedded={data.embedded ? '' : undefined}>
      <header className="head">
        <Avatar host={host} />
        <div className="who">
          {host.path === null ? (
            <p>{host.name}</p>
          ) : (
            <p>
              <a href={host.path}>{host.name}</a>
            </p>
          )}
          <h1>{data.title}</h1>
        </div>
      </header>
      {data.intro === '' ? null : <p className="intro">{data.intro}</p>}
      <form className="details" method="post" action={data.path} data-offline={say('form.offline')}>
        <div role="alert" className="top">
          {complaints[''] === undefined ? null : (
            <p className={data.isWorking ? 'banner warn' : 'banner bad'}>
              <Glyph name="warn" />
              {complaints['']}
            </p>
          )}
          {wrong.length === 0 ? null : (
            <p className="banner bad">
              <Glyph name="warn" />
              <span>
                {say('form-page.wrong', { n: wrong.length })}{' '}
                {wrong.map(({ id, label }, n) => (
                  <span key={id}>
                    {n === 0 ? '' : ', '}
                    <a href={`#${id}`}>{label}</a>
                  </span>
                ))}
              </span>
            </p>
          )}
        </div>
        {Object.entries(data.carried).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {questions.map((question) =>
          question.hidden === true ? (
            <input key={question.id} type="hidden" name={question.id} value={data.typed[question.id]?.[0] ?? ''} />
          ) : (
            <AnswerField
              key={question.id}
              question={question}
              typed={data.typed[question.id] ?? []}
              wrong={complaints[question.id]}
            />
          ),
        )}
        <p className="hint">{say('form-page.privacy', { host: host.name })}</p>
        <div className="confirm">
          <button type="submit" className="button main">
            {say('form-page.send')}
          </button>
        </div>
      </form>
    </main>
  );
}
