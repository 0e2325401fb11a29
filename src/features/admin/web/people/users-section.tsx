import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { personStates } from '#features/accounts/rules/person-state.ts';
import type { UserId } from '#kernel/ids.ts';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { type Column, DataTable, TwoLines } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/page.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { State } from '#ui/state.ts';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { usersCounted } from '../../users/contract.ts';
import { SectionState } from '../section-state.tsx';
import { type PeopleQuery, type Person, usePeople } from './people-queries.ts';
import { useFilter, useTyped } from './people-search.ts';
import { UserPanel } from './user-panel.tsx';
import styles from './users-section.module.css';

const stateOf: Record<Person['status'], State> = {
  active: 'ok',
  suspended: 'bad',
  unverified: 'pending',
  leaving: 'idle',
};

const filterNames = ['search', 'status', 'after', 'before', 'user'];

/** The users of this install: search, details, and support. */
export function UsersSection() {
  const { t } = useTranslation();
  const [filter, set] = useFilter(filterNames);
  const first = { after: undefined, before: undefined };
  const [typed, setTyped] = useTyped(filter.search, (search) => set({ ...first, search }));
  const status = personStates.find((one) => one === filter.status);
  const { search, after, before } = filter;
  const query = usePeople({
    ...(search === undefined ? {} : { search }),
    ...(status === undefined ? {} : { status }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  } as PeopleQuery);
  const look = (person: Person) => set({ user: person.id });
  const columns: readonly Column<Person>[] = [
    {
      key: 'email',
      header: t('adminUsers.column.email'),
      phone: 'title',
      cell: (person) => (
        <button type="button" className={styles.name} onClick={() => look(person)}>
          <TwoLines first={person.email} second={person.name ?? ''} />
        </button>
      ),
    },
    {
      key: 'id',
      header: t('adminUsers.column.id'),
      phone: 'hidden',
      cell: ({ id }) => (
        <code className={styles.id} title={id}>
          {id.slice(-12)}
        </code>
      ),
    },
    {
      key: 'integrations',
      header: t('adminUsers.column.integrations'),
      phone: 'line',
      cell: ({ integrations }) => integrations.map(providerName).join(', ') || t('adminUsers.noCalendars'),
    },
    {
      key: 'plan',
      header: t('adminUsers.column.plan'),
      phone: 'start',
      cell: ({ plan }) => (plan === null ? t('adminUsers.everything') : plan || t('adminUsers.noPlan')),
    },
    {
      key: 'status',
      header: t('adminUsers.column.status'),
      phone: 'aside',
      cell: ({ status: one, role }) => (
        <span className={styles.status}>
          <StateBadge state={stateOf[one]}>{t(`adminUsers.status.${one}`)}</StateBadge>
          {role === 'admin' ? <Tag>{t('adminUsers.admin')}</Tag> : null}
        </span>
      ),
    },
    {
      key: 'lastActive',
      header: t('adminUsers.column.lastActive'),
      phone: 'end',
      fit: true,
      cell: ({ lastActive }) => (lastActive === null ? t('adminUsers.never') : <RelativeTime at={lastActive} />),
    },
  ];
  const asks = (
    <search className={styles.filters}>
      <TextField
        className={styles.search}
        aria-label={t('adminUsers.search')}
        placeholder={t('adminUsers.search')}
        type="search"
        maxLength={100}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <SelectField
        aria-label={t('adminUsers.column.status')}
        value={status ?? ''}
        onChange={(event) => set({ ...first, status: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: t('adminUsers.status.all') },
          ...personStates.map((value) => ({ value, label: t(`adminUsers.status.${value}`) })),
        ]}
      />
    </search>
  );
  return (
    <div className={styles.section}>
      <SectionState query={query} failed={t('adminUsers.loadFailed')} asks={asks}>
        {({ people, total, hasNewer, hasOlder }) => (
          <>
            <Panel flush>
              {people.length === 0 ? (
                <EmptyState art="building" title={t('adminUsers.nobody')} text={t('adminUsers.nobodyText')} />
              ) : (
                <DataTable caption={t('admin.section.users')} columns={columns} rows={people} keyOf={({ id }) => id} />
              )}
            </Panel>
            <div className={styles.pages}>
              <span className="hf-num" role="status">
                {total > usersCounted
                  ? t('adminUsers.moreThan', { count: usersCounted })
                  : t('adminUsers.total', { count: total })}
              </span>
              <Button
                variant="default"
                size="xs"
                disabled={!hasNewer}
                onClick={() => set({ after: undefined, before: people[0]?.id })}
              >
                {t('adminUsers.newer')}
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={!hasOlder}
                onClick={() => set({ before: undefined, after: people.at(-1)?.id })}
              >
                {t('adminUsers.older')}
              </Button>
            </div>
          </>
        )}
      </SectionState>
      {filter.user === undefined ? null : (
        <UserPanel key={filter.user} userId={filter.user as UserId} onClose={() => set({ user: undefined })} />
      )}
    </div>
  );
}
