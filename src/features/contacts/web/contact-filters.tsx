import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { contactSources, meetingAges } from '../rules.ts';
import styles from './contact-filters.module.css';
import { type ContactSearch, isFiltered } from './contact-search.ts';

const TYPING_MS = 250;

/** Everything that narrows and orders the list; all of it lives in the address. */
export function ContactFilters({
  search,
  tags,
}: {
  search: ContactSearch;
  tags: readonly { tag: string; contacts: number }[];
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(search.q ?? '');
  const [open, setOpen] = useState(search.tag !== undefined || search.source !== undefined || search.met !== undefined);
  const set = (part: Partial<ContactSearch>) =>
    void navigate({ to: '.', search: { ...search, ...part }, replace: true });

  // the address was changed by a link, not by typing
  const [shown, setShown] = useState(search.q);
  if (shown !== search.q) {
    setShown(search.q);
    if ((search.q ?? '') !== typed.trim()) setTyped(search.q ?? '');
  }
  useEffect(() => {
    const next = typed.trim() || undefined;
    if (next === search.q) return;
    const timer = setTimeout(
      () => void navigate({ to: '.', search: { ...search, q: next }, replace: true }),
      TYPING_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, search, navigate]);

  const known = tags.some(({ tag }) => tag === search.tag) || search.tag === undefined;
  return (
    <search className={styles.filters}>
      <TextField
        className={styles.search}
        aria-label={t('contacts.filter.search')}
        placeholder={t('contacts.filter.search')}
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        variant="default"
        aria-expanded={open}
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        onClick={() => setOpen(!open)}
      >
        {t('contacts.filter.open')}
      </Button>
      <SelectField
        className={styles.order}
        aria-label={t('contacts.order.label')}
        value={search.order ?? 'last'}
        onChange={(event) => {
          const order = event.currentTarget.value as NonNullable<ContactSearch['order']>;
          set({ order: order === 'last' ? undefined : order });
        }}
        data={[
          { value: 'last', label: t('contacts.order.last') },
          { value: 'name', label: t('contacts.order.name') },
          { value: 'total', label: t('contacts.order.total') },
        ]}
      />
      {open ? (
        <div className={styles.choices}>
          <SelectField
            aria-label={t('contacts.filter.tag')}
            value={search.tag ?? ''}
            onChange={(event) => set({ tag: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t('contacts.filter.anyTag') },
              ...(known ? [] : [{ value: search.tag ?? '', label: search.tag ?? '' }]),
              ...tags.map(({ tag, contacts }) => ({ value: tag, label: `${tag} (${contacts})` })),
            ]}
          />
          <SelectField
            aria-label={t('contacts.filter.met')}
            value={search.met ?? ''}
            onChange={(event) => set({ met: (event.currentTarget.value || undefined) as ContactSearch['met'] })}
            data={[
              { value: '', label: t('contacts.filter.anyMet') },
              ...meetingAges.map((age) => ({ value: age, label: t(`contacts.met.${age}`) })),
            ]}
          />
          <SelectField
            aria-label={t('contacts.filter.source')}
            value={search.source ?? ''}
            onChange={(event) => set({ source: (event.currentTarget.value || undefined) as ContactSearch['source'] })}
            data={[
              { value: '', label: t('contacts.filter.anySource') },
              ...contactSources.map((source) => ({ value: source, label: t(`contacts.source.${source}`) })),
            ]}
          />
          {isFiltered(search) ? (
            <Button
              variant="subtle"
              onClick={() => {
                setTyped('');
                void navigate({ to: '.', search: search.order === undefined ? {} : { order: search.order } });
              }}
            >
              {t('contacts.filter.clear')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </search>
  );
}
