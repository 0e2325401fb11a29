import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { PlainSelect } from '#ui/plain-field.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import { meetingSources } from '../rules/measures.ts';
import { useBoard } from './board.ts';
import styles from './dashboard-filters.module.css';
import { isFiltered } from './dashboard-search.ts';
import type { Filters } from './queries.ts';

/** The filters of the dashboard. The address holds their state. */
export function DashboardFilters({ known }: { known: Filters | undefined }) {
  const { t } = useTranslation();
  const { search, set } = useBoard();
  const teams = known?.teams ?? [];
  const team = teams.find(({ team_id: id }) => id === search.team);
  const types = (known?.event_types ?? []).filter(({ team_id: id }) => search.team === undefined || id === search.team);
  const choose = (
    label: string,
    any: string,
    value: string | undefined,
    data: { value: string; label: string }[],
    onValue: (value: string | undefined) => void,
  ) => (
    <PlainSelect
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onValue(event.currentTarget.value || undefined)}
      data={[
        { value: '', label: any },
        // chosen by a link, and not among those that are known
        ...(value === undefined || data.some((one) => one.value === value) ? [] : [{ value, label: label }]),
        ...data,
      ]}
    />
  );
  return (
    <search className={styles.filters} aria-label={t('analytics.filter.label')}>
      {teams.length > 0 || search.team !== undefined
        ? choose(
            t('analytics.filter.whose'),
            t('analytics.filter.own'),
            search.team,
            teams.map(({ team_id: value, name: label }) => ({
              value,
              label: t('analytics.filter.team', { name: label }),
            })),
            (value) => set({ team: value, member: undefined, type: undefined, calendar: undefined }),
          )
        : null}
      {search.team !== undefined
        ? choose(
            t('analytics.filter.member'),
            t('analytics.filter.anyMember'),
            search.member,
            (team?.members ?? []).map(({ user_id: value, name: label }) => ({ value, label })),
            (member) => set({ member }),
          )
        : null}
      {choose(
        t('analytics.filter.type'),
        t('analytics.filter.anyType'),
        search.type,
        types.map(({ event_type_id: value, title: label }) => ({ value, label })),
        (type) => set({ type }),
      )}
      {choose(
        t('analytics.filter.source'),
        t('analytics.filter.anySource'),
        search.source,
        meetingSources.map((value) => ({ value, label: t(`analytics.source.${value}`) })),
        (value) => set({ source: meetingSources.find((one) => one === value) }),
      )}
      {search.team === undefined
        ? choose(
            t('analytics.filter.calendar'),
            t('analytics.filter.anyCalendar'),
            search.calendar,
            (known?.calendars ?? []).map(({ calendar_id: value, name, provider }) => ({
              value,
              label: `${name} (${providerName(provider)})`,
            })),
            (calendar) => set({ calendar }),
          )
        : null}
      {isFiltered(search) ? (
        <Button
          variant="subtle"
          onClick={() => set({ type: undefined, member: undefined, source: undefined, calendar: undefined })}
        >
          {t('analytics.filter.clear')}
        </Button>
      ) : null}
    </search>
  );
}
