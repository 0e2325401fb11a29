import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './console-filters.module.css';
import { type ConsoleSearch, isFiltered, tabOf } from './console-search.ts';
import { useConsoleCalendars } from './queries.ts';

const DateFilters = lazy(async () => ({ default: (await import('./date-filters.tsx')).DateFilters }));

const TYPING_MS = 250;

/** Everything that narrows the rows; all of it lives in the address, so that every view can be linked and Back works. */
export function ConsoleFilters({ search: current }: { search: ConsoleSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const calendars = useConsoleCalendars();
  const [typed, setTyped] = useState(current.search ?? '');
  const [open, setOpen] = useState(false);
  const tab = tabOf(current);
  const set = (part: Partial<ConsoleSearch>, replace = false) =>
    void navigate({ to: '.', search: { ...current, ...part, page: undefined }, replace });

  // the address was changed by a link, not by typing
  const [shownSearch, setShownSearch] = useState(current.search);
  if (shownSearch !== current.search) {
    setShownSearch(current.search);
    if ((current.search ?? '') !== typed.trim()) setTyped(current.search ?? '');
  }
  useEffect(() => {
    const next = typed.trim() || undefined;
    if (next === current.search) return;
    const timer = setTimeout(
      () => void navigate({ to: '.', search: { ...current, search: next, page: undefined }, replace: true }),
      TYPING_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, current, navigate]);

  const known = calendars.data?.calendars ?? [];
  const providers = [...new Set(known.map((one) => one.provider))];
  const place = current.calendar ?? (current.provider === undefined ? '' : `provider:${current.provider}`);
  const setPlace = (value: string) => {
    const isProvider = value.startsWith('provider:');
    set({
      provider: isProvider ? value.slice('provider:'.length) : undefined,
      calendar: isProvider || value === '' ? undefined : value,
    });
  };

  return (
    <search className={styles.filters} data-open={open || undefined}>
      <TextField
        className={styles.search}
        aria-label={t('meetings.filter.search')}
        placeholder={t('meetings.filter.search')}
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        className={styles.toggle}
        variant="default"
        aria-expanded={open}
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        onClick={() => setOpen(!open)}
      >
        {t('meetings.filter.more')}
      </Button>
      <div className={styles.more}>
        {tab === 'mirrors' ? (
          <SelectField
            className={styles.choice}
            aria-label={t('meetings.filter.status')}
            value={current.status ?? ''}
            onChange={(event) =>
              set({ tab: 'mirrors', status: (event.currentTarget.value || undefined) as ConsoleSearch['status'] })
            }
            data={[
              { value: '', label: t('meetings.filter.all') },
              { value: 'failed', label: t('meetings.status.failed') },
              { value: 'pending', label: t('meetings.status.pending') },
              { value: 'created', label: t('meetings.status.created') },
              { value: 'skipped', label: t('meetings.status.skipped') },
            ]}
          />
        ) : (
          <SelectField
            className={styles.choice}
            aria-label={t('meetings.filter.health')}
            value={current.health ?? ''}
            onChange={(event) => set({ health: (event.currentTarget.value || undefined) as ConsoleSearch['health'] })}
            data={[
              { value: '', label: t('meetings.filter.anyHealth') },
              { value: 'failed', label: t('meetings.status.failed') },
              { value: 'pending', label: t('meetings.status.pending') },
              { value: 'synced', label: t('meetings.filter.synced') },
              { value: 'none', label: t('meetings.health.none') },
            ]}
          />
        )}
        <SelectField
          className={styles.choice}
          aria-label={t('meetings.filter.calendar')}
          value={place}
          onChange={(event) => setPlace(event.currentTarget.value)}
          data={[
            { value: '', label: t('meetings.filter.anyCalendar') },
            ...providers.map((provider) => ({
              group: providerName(provider),
              items: [
                {
                  value: `provider:${provider}`,
                  label: t('meetings.filter.allOf', { provider: providerName(provider) }),
                },
                ...known
                  .filter((one) => one.provider === provider)
                  .map((one) => ({ value: one.id, label: `${one.name} · ${one.email}` })),
              ],
            })),
          ]}
        />
        <div className={styles.days}>
          <Suspense fallback={null}>
            <DateFilters from={current.from} to={current.to} onChange={(days) => set(days, true)} />
          </Suspense>
        </div>
        {current.attendee === undefined ? null : (
          <Button variant="default" onClick={() => set({ attendee: undefined })} title={t('meetings.filter.anyone')}>
            {t('meetings.filter.with', { email: current.attendee })}
          </Button>
        )}
        {isFiltered(current) ? (
          <Button
            variant="subtle"
            onClick={() => {
              setTyped('');
              void navigate({ to: '.', search: { tab } });
            }}
          >
            {t('meetings.filter.clear')}
          </Button>
        ) : null}
      </div>
    </search>
  );
}
