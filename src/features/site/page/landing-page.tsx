import { Glyph } from '#features/booking/page/glyph.tsx';
import { ReadingProvider, useReading } from '#features/booking/page/reading.tsx';
import type { Say } from '#features/booking/rules/fill-words.ts';
import type { LandingData } from '../rules.ts';
import { Heading } from './heading.tsx';
import { HeroGrid, heroCalendars } from './hero-grid.tsx';
import { Insights } from './insights.tsx';
import { Plans } from './plans.tsx';
import { SiteFrame, supportOf } from './site-frame.tsx';
import { Tour, TourButton } from './tour.tsx';

/** The page for signed-out visitors. It works without script, which only opens the film and colors the bar. */
export function LandingPage({ data }: { data: LandingData }) {
  const { words, locale, hour12 } = data;
  return (
    <ReadingProvider words={words} reading={{ zone: 'UTC', locale, hour12, firstWeekday: 0 }}>
      <Sections data={data} />
    </ReadingProvider>
  );
}

function Sections({ data }: { data: LandingData }) {
  const { say } = useReading();
  const begin = data.plans === null ? say('free') : say('trial');
  return (
    <SiteFrame data={data} say={say} isLanding>
      <section className="hero" id="top">
        <h1>{say('hero.title')}</h1>
        <p className="lead">{say('hero.text')}</p>
        <div className="actions">
          <a className="button main large" href="/signup">
            {begin}
          </a>
          <TourButton say={say} />
        </div>
        {data.claim === null ? null : <p className="claim">{data.claim}</p>}
        <Week data={data} say={say} />
        <p className="kinds">{say('hero.kinds')}</p>
      </section>

      <section className="band" id="features" aria-labelledby="features-title">
        <Heading id="features-title" title={say('features.title')} text={say('features.text')} />
        <ul className="cards four">
          {(['mirror', 'week', 'hours', 'links'] as const).map((name) => (
            <li key={name} className="card">
              <Art name={name} />
              <h3>{say(`features.${name}`)}</h3>
              <p>{say(`features.${name}-text`)}</p>
            </li>
          ))}
        </ul>
      </section>

      <section className="band" id="steps" aria-labelledby="steps-title">
        <Heading id="steps-title" title={say('steps.title')} text={say('steps.text')} />
        <ol className="cards three steps">
          {(['connect', 'hours', 'share'] as const).map((name, at) => (
            <li key={name}>
              <span className="number" aria-hidden="true">
                {at + 1}
              </span>
              <h3>{say(`steps.${name}`)}</h3>
              <p>{say(`steps.${name}-text`)}</p>
            </li>
          ))}
        </ol>
      </section>

      <section className="band tinted" id="pricing" aria-labelledby="pricing-title">
        <Plans plans={data.plans} say={say} />
      </section>

      <section className="band" id="analytics" aria-labelledby="analytics-title">
        <Insights say={say} />
      </section>

      <section className="band" id="resources" aria-labelledby="resources-title">
        <Heading id="resources-title" title={say('resources.title')} />
        <ul className="cards three">
          {(
            [
              ['docs', '/docs'],
              ['api', '/api/docs'],
              ['support', supportOf(data)],
            ] as const
          ).map(([name, to]) =>
            to === null ? null : (
              <li key={name} className="card linked">
                <h3>
                  <a href={to}>{say(`resources.${name}`)}</a>
                </h3>
                <p>{say(`resources.${name}-text`)}</p>
              </li>
            ),
          )}
        </ul>
      </section>
      <Tour say={say} begin={begin} language={data.language} />
    </SiteFrame>
  );
}

function Week({ data, say }: { data: LandingData; say: Say }) {
  const { locale, language, hour12, firstDay } = data;
  return (
    <figure className="week">
      <div className="frame" aria-hidden="true" inert>
        <div className="legend">
          {(['work', 'personal', 'client'] as const).map((name) => (
            <span key={name}>
              <svg viewBox="0 0 8 8" aria-hidden="true">
                <rect width="8" height="8" rx="2.5" fill={heroCalendars[name]} />
              </svg>
              {say(`hero.${name}`)}
            </span>
          ))}
          <span className="done">
            <Glyph name="check" />
            {say('hero.done')}
          </span>
        </div>
        <div className="grid">
          <HeroGrid say={say} language={language} locale={locale} hour12={hour12} firstDay={firstDay} />
        </div>
      </div>
      <figcaption>{say('hero.caption')}</figcaption>
    </figure>
  );
}

/** Line drawings of two overlapping blocks, each in its own way; they say nothing that the words do not. */
const art = {
  mirror: [
    'M8 20h14a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V24a4 4 0 0 1 4-4',
    'M22 8h14a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-6',
  ],
  week: [
    'M8 8h28a4 4 0 0 1 4 4v24a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V12a4 4 0 0 1 4-4M4 17h36',
    'M16 17v23M28 17v23M18.5 22h7v8h-7z',
  ],
  hours: ['M22 5a17 17 0 1 0 0 34 17 17 0 0 0 0-34', 'M22 13v9l6 5'],
  links: ['M18 26a7 7 0 0 0 10 0l7-7a7 7 0 0 0-10-10l-3 3', 'M26 18a7 7 0 0 0-10 0l-7 7a7 7 0 0 0 10 10l3-3'],
} as const;

function Art({ name }: { name: keyof typeof art }) {
  const [first, second] = art[name];
  return (
    <svg className="art" viewBox="0 0 44 44" aria-hidden="true">
      <path d={first} />
      <path className="tint" d={second} />
    </svg>
  );
}
