import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '#ui/text-field.tsx';
import { articleFor } from '../rules/article-for.ts';
import type { DocSection } from '../rules/search-docs.ts';
import styles from './help-page.module.css';
import type { Docs } from './read-docs.ts';

const noDocs: Docs = { sections: [], search: () => [] };

function useDocs(language: string): Docs {
  const { data = noDocs } = useQuery({
    queryKey: ['help', 'docs', language],
    // in a file of its own, because the search of the shell reads it too
    queryFn: async () => (await import('./read-docs.ts')).readDocs(language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

export function DocsSearch() {
  const { t, i18n } = useTranslation();
  const [typed, setTyped] = useState('');
  const docs = useDocs(i18n.language);
  const { sections } = docs;
  const found = useMemo(() => docs.search(typed), [docs, typed]);
  const isAsked = typed.trim() !== '';
  const { about = '' } = useSearch({ strict: false });
  const article = `/docs/${articleFor(about)}`;
  const here = sections.filter(({ to }) => to === article || to.startsWith(`${article}#`));
  const pages = sections.filter(({ heading, page }) => heading === page);
  return (
    <>
      <TextField
        type="search"
        label={t('help.search.label')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <p role="status" className="hf-sr-only">
        {isAsked ? t('help.search.found', { count: found.length }) : ''}
      </p>
      {isAsked && found.length === 0 ? <p className={styles.quiet}>{t('help.search.none')}</p> : null}
      {!isAsked && here.length > 0 ? (
        <section className={styles.here} aria-label={t('help.search.here')}>
          <h3>{t('help.search.here')}</h3>
          <ul className={styles.found}>
            {here.map((section) => (
              <Found key={section.to} section={section} />
            ))}
          </ul>
        </section>
      ) : null}
      <ul className={styles.found}>
        {(isAsked ? found : pages).map((section) => (
          <Found key={section.to} section={section} />
        ))}
      </ul>
    </>
  );
}

function Found({ section: { to, page, heading, text } }: { section: DocSection }) {
  return (
    <li>
      <a href={to} target="_blank" rel="noreferrer">
        <strong>{heading}</strong>
        {heading === page ? null : ` · ${page}`}
        <small>{text}</small>
      </a>
    </li>
  );
}
