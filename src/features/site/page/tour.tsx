import { Glyph } from '#features/booking/page/glyph.tsx';
import type { Say } from '#features/booking/rules/fill-words.ts';
import { nameOfLanguage, pseudoLocale } from '#kernel/languages.ts';

declare module 'react' {
  interface ButtonHTMLAttributes<T> {
    command?: 'show-modal' | 'close';
    commandfor?: string;
  }
}

/** Opens the film: newer browsers by themselves, the others by the script. */
export function TourButton({ say }: { say: Say }) {
  return (
    <button type="button" className="button large" command="show-modal" commandfor="tour">
      <svg className="glyph" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M8 5l11 7-11 7z" />
      </svg>
      {say('how')}
    </button>
  );
}

const captionsOf = (language: string) => (language === pseudoLocale ? 'en' : language);

/** The film, in the colours that the device asks for. */
export function Tour({ say, begin, language }: { say: Say; begin: string; language: string }) {
  const captions = captionsOf(language);
  return (
    <dialog id="tour" aria-labelledby="tour-title" closedby="any">
      <div className="inside">
        <header>
          <h2 id="tour-title">{say('tour.title')}</h2>
          <button type="button" className="close" command="close" commandfor="tour" aria-label={say('tour.close')}>
            <Glyph name="cross" />
          </button>
        </header>
        <video muted controls playsInline preload="none" width={1280} height={800}>
          <source src="/tour/holdfast-dark.webm" type="video/webm" media="(prefers-color-scheme: dark)" />
          <source src="/tour/holdfast-light.webm" type="video/webm" />
          <track
            kind="captions"
            srcLang={captions}
            label={nameOfLanguage(captions)}
            src={`/tour/holdfast.${captions}.vtt`}
            default
          />
        </video>
        <footer>
          <p>{say('tour.text')}</p>
          <a className="button main" href="/signup" data-tour-begin="">
            {begin}
          </a>
        </footer>
      </div>
    </dialog>
  );
}
