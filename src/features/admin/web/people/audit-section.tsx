import { IconChevronDown, IconDownload, IconSearch, IconShieldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { auditActions } from '#features/accounts/rules/audit.ts';
import type { LocalDate } from '#kernel/event.ts';
import { parseLocalDate } from '#kernel/time/local.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { DateField } from '#ui/dates/when-field.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { ActionMenu, MenuItem } from '#ui/menu.tsx';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { SectionState } from '../section-state.tsx';
import styles from './audit-section.module.css';
import { EntryList } from './entry-list.tsx';
import { type AuditQuery, auditFile, useAudit, useVerifyAudit } from './people-queries.ts';
import { type Filter, useFilter, useTyped } from './people-search.ts';

const filterNames = ['actor', 'actorType', 'action', 'text', 'from', 'to'];
const fewestLetters = 3;

/** Everything that was done here by administrators and by the install itself. */
export function AuditSection() {
  const { t } = useTranslation();
  const { zone } = usePreferences();
  const [filter, set] = useFilter(filterNames);
  const query = queryOf(filter, zone);
  const audit = useAudit(query);
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <div className={styles.section}>
      <SectionState
        query={audit}
        failed={t('audit.loadFailed')}
        asks={<Filters filter={filter} set={set} query={query} />}
      >
        {() => (
          <>
            <Panel flush>
              {entries.length > 0 ? (
                <EntryList entries={entries} />
              ) : Object.keys(query).length === 0 ? (
                <EmptyState art="building" title={t('audit.empty')} text={t('audit.emptyText')} />
              ) : (
                <EmptyState art="building" title={t('audit.nothing')} text={t('audit.nothingText')} />
              )}
            </Panel>
            {audit.hasNextPage ? (
              <p>
                <Button
                  variant="default"
                  disabled={audit.isFetchingNextPage}
                  onClick={() => void audit.fetchNextPage()}
                >
                  {t('audit.older')}
                </Button>
              </p>
            ) : null}
          </>
        )}
      </SectionState>
    </div>
  );
}

/** Converts the filter to a query. Days are the reader's; the last one is included. */
function queryOf({ actor, actorType, action, text, from, to }: Filter, zone: string): AuditQuery {
  const type = (['Admin', 'System'] as const).find((one) => one === actorType);
  const known = auditActions.find((one) => one === action);
  const startOf = (day: string | undefined, plus: number) => {
    if (day === undefined || parseLocalDate(day as LocalDate) === null) return undefined;
    const { epochMilliseconds } = Temporal.PlainDate.from(day).add({ days: plus }).toZonedDateTime(zone);
    return epochMilliseconds;
  };
  const [fromMs, toMs] = [startOf(from, 0), startOf(to, 1)];
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(type === undefined ? {} : { actorType: type }),
    ...(known === undefined ? {} : { action: known }),
    ...(text === undefined || text.length < fewestLetters ? {} : { text }),
    ...(fromMs === undefined ? {} : { from: fromMs }),
    ...(toMs === undefined ? {} : { to: toMs }),
  };
}

function Filters({ filter, set, query }: { filter: Filter; set: (part: Filter) => void; query: AuditQuery }) {
  const { t } = useTranslation();
  const [actor, setActor] = useTyped(filter.actor, (value) => set({ actor: value }));
  const [text, setText] = useTyped(filter.text, (value) => set({ text: value }));
  const verify = useVerifyAudit();
  return (
    <>
      <search className={styles.filters}>
        <TextField
          className={styles.text}
          label={t('audit.filter.text')}
          type="search"
          maxLength={100}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextField
          label={t('audit.filter.actor')}
          type="search"
          maxLength={100}
          value={actor}
          onChange={(event) => setActor(event.currentTarget.value)}
        />
        <SelectField
          label={t('audit.filter.actorType')}
          value={filter.actorType ?? ''}
          onChange={(event) => set({ actorType: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('audit.filter.all') },
            { value: 'Admin', label: t('audit.admin') },
            { value: 'System', label: t('audit.system') },
          ]}
        />
        <SelectField
          label={t('audit.filter.action')}
          value={filter.action ?? ''}
          onChange={(event) => set({ action: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('audit.filter.all') },
            ...auditActions.map((value) => ({ value, label: t(`audit.action.${value}`) })),
          ]}
        />
        <DateField
          label={t('audit.filter.from')}
          value={filter.from ?? ''}
          onValue={(value) => set({ from: value || undefined })}
        />
        <DateField
          label={t('audit.filter.to')}
          value={filter.to ?? ''}
          onValue={(value) => set({ to: value || undefined })}
        />
      </search>
      <div className={styles.actions}>
        <ActionButton
          type="button"
          variant="default"
          leftSection={<IconShieldCheck size={16} aria-hidden />}
          pending={verify.isPending}
          pendingLabel={t('audit.verifying')}
          onClick={() => verify.mutate()}
        >
          {t('audit.verify')}
        </ActionButton>
        <ActionMenu
          trigger={
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {t('audit.export')}
            </Button>
          }
        >
          <MenuItem component="a" href={auditFile('csv', query)} download>
            {t('audit.csv')}
          </MenuItem>
          <MenuItem component="a" href={auditFile('json', query)} download>
            {t('audit.json')}
          </MenuItem>
        </ActionMenu>
      </div>
      <Verdict verify={verify} />
    </>
  );
}

function Verdict({ verify: { data, error } }: { verify: ReturnType<typeof useVerifyAudit> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (error)
    return (
      <Banner state="bad" role="alert">
        {errorText(error)}
      </Banner>
    );
  if (!data) return null;
  if (data.broken) {
    return (
      <Banner state="bad" role="alert" title={t('audit.broken')}>
        {t(`audit.brokenAt.${data.broken.kind}`, { position: data.broken.position, count: data.entries })}
      </Banner>
    );
  }
  return (
    <Banner state="ok" role="status" title={t('audit.whole')}>
      {t('audit.wholeText', { count: data.entries, hash: data.head?.hash.slice(0, 16) ?? '' })}
    </Banner>
  );
}
