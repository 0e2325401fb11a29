import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '#ui/text-field.tsx';
import { type DocSection, searchDocs, sectionsOf } from '../rules/search-docs.ts';
import styles from './help-page.module.css';

/** The documentation comes with this screen, so that searching it takes no call and works offline. */
const sections = sectionsOf(
  import.meta.glob<string>('../../../../docs/help/*.md', { query: '?raw', import: 'default', eager: true }),
);
const pages = sections.filter(({ heading, page }) => heading === page);

export function DocsSearch() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const found = useMemo(() => searchDocs(sections, typed), [typed]);
  const isAsked = typed.trim() !== '';
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
