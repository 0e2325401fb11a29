import type { ReactNode } from 'react';
import type { Say } from '#features/booking/rules/fill-words.ts';
import type { SiteFrameData } from '../rules.ts';

/** Two rounded blocks that click into one; as src/ui/logo.tsx draws them. */
function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <rect className="back" x="8.5" y="2" width="13.5" height="13.5" rx="4" />
      <rect className="front" x="2" y="8.5" width="13.5" height="13.5" rx="4" />
      <path d="M8.5 12.5a4 4 0 0 1 4-4h3v3a4 4 0 0 1-4 4h-3z" />
    </svg>
  );
}

/** A logo with a name in it is wide, and needs no name beside it. */
function Product({ data: { product, logo, darkLogo } }: { data: SiteFrameData }) {
  if (logo === null) {
    return (
      <>
        <Mark />
        {product}
      </>
    );
  }
  const hasName = logo.width > 2 * logo.height;
  return (
    <>
      <picture>
        {darkLogo === null ? null : <source srcSet={darkLogo.src} media="(prefers-color-scheme: dark)" />}
        <img
          className="logo"
          data-dark={darkLogo === null ? undefined : ''}
          src={logo.src}
          alt={hasName ? product : ''}
        />
      </picture>
      {hasName ? null : product}
    </>
  );
}

const anchors = ['features', 'pricing', 'resources', 'contact'] as const;

interface Props {
  data: SiteFrameData;
  say: Say;
  /** On the landing page itself the bar leads within it, and is clear until the page is scrolled. */
  isLanding?: boolean;
  /** Without the links and the form that advertise the install. */
  isPlain?: boolean;
  children: ReactNode;
}

/** The ways into the app, and the menu of narrow windows. */
function Enter({ say, links }: { say: Say; links: ReactNode }) {
  return (
    <>
      <div className="enter">
        <a className="quiet" href="/login">
          {say('login')}
        </a>
        <a className="button main" href="/signup">
          {say('signup')}
        </a>
      </div>
      <details className="menu" data-menu="">
        <summary aria-label={say('nav.menu')}>
          <svg className="glyph" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 7h16M4 12h16M4 17h16" />
          </svg>
        </summary>
        <nav aria-label={say('nav.menu')}>
          {links}
          <a className="narrow" href="/login">
            {say('login')}
          </a>
        </nav>
      </details>
    </>
  );
}

function Links({ data, say, home }: { data: SiteFrameData; say: Say; home: string }) {
  const support = supportOf(data);
  return (
    <nav aria-label={say('footer.links')}>
      <h2>{say('footer.links')}</h2>
      <ul>
        <li>
          <a href={`${home}#features`}>{say('nav.features')}</a>
        </li>
        <li>
          <a href={`${home}#pricing`}>{say('nav.pricing')}</a>
        </li>
        <li>
          <a href="/docs">{say('resources.docs')}</a>
        </li>
        {support === null ? null : (
          <li>
            <a href={support}>{say('resources.support')}</a>
          </li>
        )}
        {data.blog === null ? null : (
          <li>
            <a href={data.blog}>{say('footer.blog')}</a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Subscribe({ say }: { say: Say }) {
  return (
    <form className="subscribe" method="post" action="/subscribe">
      <h2>{say('subscribe.title')}</h2>
      <p>{say('subscribe.text')}</p>
      <label htmlFor="subscribe-email">{say('subscribe.email')}</label>
      <div className="row">
        <input id="subscribe-email" name="email" type="email" autoComplete="email" maxLength={254} required />
        <button type="submit" className="button">
          {say('subscribe.button')}
        </button>
      </div>
    </form>
  );
}

/** The bar above and the footer below whatever the site shows. */
export function SiteFrame({ data, say, isLanding = false, isPlain = false, children }: Props) {
  const home = isLanding ? '' : '/home';
  const support = supportOf(data);
  const links = anchors
    .filter((name) => name !== 'contact' || support !== null)
    .map((name) => (
      <a key={name} href={`${home}#${name}`}>
        {say(`nav.${name}`)}
      </a>
    ));
  return (
    <>
      <a className="skip" href="#content">
        {say('skip')}
      </a>
      <header className="bar" data-bar={isLanding ? '' : undefined}>
        <div className="wide">
          <a className="brand" href={isLanding ? '#top' : '/home'}>
            <Product data={data} />
          </a>
          {isPlain ? null : <nav aria-label={say('nav')}>{links}</nav>}
          {isPlain ? null : <Enter say={say} links={links} />}
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer id="contact">
        <div className="wide">
          <div className="brand-side">
            <a className="brand" href="/home">
              <Product data={data} />
            </a>
            {data.operator === null ? null : <p>{say('footer.by', { name: data.operator })}</p>}
            <p>{say('footer.source')}</p>
            <ul className="ways">
              {data.ways.map(({ language, name, to }) => (
                <li key={language}>
                  <a
                    lang={language}
                    hrefLang={language}
                    rel="nofollow"
                    href={to}
                    aria-current={language === data.language ? 'true' : undefined}
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
          {isPlain ? null : <Links data={data} say={say} home={home} />}
          <nav aria-label={say('footer.legal')}>
            <h2>{say('footer.legal')}</h2>
            <ul>
              {(['privacy', 'terms', 'security'] as const).map((name) => (
                <li key={name}>
                  <a href={`/${name}`}>{say(`footer.${name}`)}</a>
                </li>
              ))}
            </ul>
          </nav>
          {isPlain ? null : <Subscribe say={say} />}
        </div>
      </footer>
    </>
  );
}

/** Mail to the operator; null where they gave no address: visitors cannot open the form of help. */
export const supportOf = ({ contact }: SiteFrameData) => (contact === null ? null : `mailto:${contact}`);
