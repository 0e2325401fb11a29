import type { NoticeData } from '../rules/visit-data.ts';

/** One thing to say: that there is nothing here, or not now. */
export function NoticePage({ data: { title, text, link } }: { data: NoticeData }) {
  return (
    <main className="card notice">
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
