import { IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './console-filters.module.css';
import type { ConsoleSearch } from './console-search.ts';

const TYPING_MS = 250;

/** Search and status; both live in the address, so that every view can be linked and Back works. */
export function ConsoleFilters() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const current: ConsoleSearch = useSearch({ strict: false });
  const [typed, setTyped] = useState(current.search ?? '');

  useEffect(() => {
    const next = typed.trim() || undefined;
    if (next === current.search) return;
    const timer = setTimeout(
      () => void navigate({ to: '.', search: { ...current, search: next, page: undefined }, replace: true }),
      TYPING_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, current, navigate]);

  return (
    <search className={styles.filters}>
      <TextField
        aria-label={t('meetings.filter.search')}
        placeholder={t('meetings.filter.search')}
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <SelectField
        aria-label={t('meetings.filter.status')}
        value={current.status ?? ''}
        onChange={(event) =>
          void navigate({
            to: '.',
            search: { ...current, status: event.currentTarget.value || undefined, page: undefined },
          })
        }
        data={[
          { value: '', label: t('meetings.filter.all') },
          { value: 'failed', label: t('meetings.status.failed') },
          { value: 'pending', label: t('meetings.status.pending') },
          { value: 'created', label: t('meetings.status.created') },
          { value: 'skipped', label: t('meetings.status.skipped') },
        ]}
      />
    </search>
  );
}
