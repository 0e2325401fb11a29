import type { ProfileData } from '../rules/visit-data.ts';
import { Glyph } from './glyph.tsx';
import { Avatar, listFacts } from './host-card.tsx';
import { ReadingProvider, useReading } from './reading.tsx';

/** All that somebody offers. */
export function ProfilePage({ data }: { data: ProfileData }) {
  return (
    <ReadingProvider words={data.words} reading={data.reading}>
      <Offers data={data} />
    </ReadingProvider>
  );
}

function Offers({ data: { host, about, types } }: { data: ProfileData }) {
  const { say } = useReading();
  return (
    <main className="card profile">
      <header className="head">
        <Avatar host={host} />
        <div className="who">
          <h1>{host.name}</h1>
          <p>
            {types.length === 0 ? say('profile.none', { host: host.name }) : say('profile.title', { host: host.name })}
          </p>
        </div>
      </header>
      {about === '' ? null : (
        <div className="about">
          <p>{about}</p>
        </div>
      )}
      <ul className="offers">
        {types.map((type) => (
          <li key={type.path}>
            <a href={type.path}>
              <h2>{type.title}</h2>
              <span className="facts">
                {listFacts(say, type, type.durations).map(({ glyph, text }) => (
                  <span key={glyph}>
                    <Glyph name={glyph} />
                    {text}
                  </span>
                ))}
              </span>
              {type.description === '' ? null : <p>{type.description}</p>}
              <Glyph name="right" />
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}
