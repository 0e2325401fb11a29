import type { NoticeData } from '../rules/visit-data.ts';

/** One thing to say: that there is nothing here, or not now. */
export function NoticePage({ data: { title, text, link, home } }: { data: NoticeData }) {
  return (
    <main className="card notice">
      {home === undefined ? null : (
        <a className="home" href="/">
          <Mark home={home} />
          {home.product}
        </a>
      )}
      <svg className="art" viewBox="0 0 96 96" aria-hidden="true">
        <rect x="34" y="14" width="46" height="46" rx="12" />
        <rect className="front" x="16" y="36" width="46" height="46" rx="12" />
      </svg>
      <h1>{title}</h1>
      <p>{text}</p>
      {link === null ? null : (
        <p>
          <a className="button" href={link.to} {...(link.outside ? { target: '_top', rel: 'noreferrer' } : {})}>
            {link.label}
          </a>
        </p>
      )}
    </main>
  );
}

/** The logo of the install, else two rounded blocks as src/ui/logo.tsx draws them. */
function Mark({ home: { logo, darkLogo } }: { home: NonNullable<NoticeData['home']> }) {
  if (logo === null) {
    return (
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <rect className="back" x="8.5" y="2" width="13.5" height="13.5" rx="4" />
        <rect x="2" y="8.5" width="13.5" height="13.5" rx="4" />
      </svg>
    );
  }
  return (
    <picture>
      {darkLogo === null ? null : <source srcSet={darkLogo} media="(prefers-color-scheme: dark)" />}
      <img src={logo} alt="" />
    </picture>
  );
}
