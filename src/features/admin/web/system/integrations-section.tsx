import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { type Column, DataTable, TwoLines } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/page.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { SectionState } from '../section-state.tsx';
import { useAmounts } from '../use-amounts.ts';
import { HealthBadge } from './health-badge.tsx';
import styles from './integrations-section.module.css';
import { type Integration, useIntegrations, useResync } from './system-queries.ts';

type Account = Integration['worst'][number];

/** How calendar accounts do, kind by kind, by what reading them met. */
export function IntegrationsSection() {
  const { t } = useTranslation();
  const query = useIntegrations();
  const [asked, setAsked] = useState<{ integration: Integration; account: Account | null } | null>(null);
  return (
    <SectionState query={query} failed={t('adminIntegrations.loadFailed')}>
      {({ integrations }) => (
        <div className={styles.section}>
          {integrations.length === 0 ? (
            <Panel>
              <EmptyState art="building" title={t('adminIntegrations.none')} text={t('adminIntegrations.noneText')} />
            </Panel>
          ) : null}
          {integrations.map((one) => (
            <Kind
              key={`${one.provider}/${one.profile}`}
              one={one}
              onResync={(account) => setAsked({ integration: one, account })}
            />
          ))}
          {asked === null ? null : <ResyncDialog {...asked} onClose={() => setAsked(null)} />}
        </div>
      )}
    </SectionState>
  );
}

function ResyncDialog({
  integration: { provider, profile, label },
  account,
  onClose,
}: {
  integration: Integration;
  account: Account | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const resync = useResync();
  const name = account?.address ?? label;
  return (
    <ReasonDialog
      opened
      title={
        account === null ? t('adminIntegrations.question', { name }) : t('adminIntegrations.questionOne', { name })
      }
      confirmLabel={t('adminIntegrations.resync')}
      pending={resync.isPending}
      error={resync.error}
      onClose={onClose}
      onConfirm={(reason) =>
        resync.mutate(
          { provider, profile, reason, ...(account === null ? {} : { accountId: account.accountId }) },
          {
            onSuccess: () => {
              onClose();
              showToast({ subject: 'resync', state: 'ok', message: t('adminIntegrations.asked', { name }) });
            },
          },
        )
      }
    >
      <p>{t('adminIntegrations.questionText')}</p>
    </ReasonDialog>
  );
}

function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={styles.value}>{value}</span>
        {note ? <span className={styles.note}>{note}</span> : null}
      </dd>
    </div>
  );
}

function Kind({ one, onResync }: { one: Integration; onResync: (account: Account | null) => void }) {
  const { t } = useTranslation();
  const { number, percent, duration } = useAmounts();
  const unknown = t('adminIntegrations.unknown');
  return (
    <Panel
      title={
        <span className={styles.title}>
          <ColorMark color={one.color} /> {one.label} <HealthBadge status={one.status} />
        </span>
      }
      actions={
        <Button
          variant="default"
          aria-label={t('adminIntegrations.resyncAllOf', { name: one.label })}
          disabled={one.accounts === 0}
          onClick={() => onResync(null)}
        >
          {t('adminIntegrations.resyncAll')}
        </Button>
      }
    >
      <dl className={styles.figures}>
        <Figure
          name={t('adminIntegrations.accounts')}
          value={number(one.accounts)}
          note={one.lost === 0 ? null : t('adminIntegrations.lost', { count: one.lost })}
        />
        <Figure
          name={t('adminIntegrations.syncs')}
          value={number(one.synced)}
          note={t('adminIntegrations.syncsOf', { synced: number(one.synced), calls: number(one.calls) })}
        />
        <Figure
          name={t('adminIntegrations.errorRate')}
          value={one.errorPct === null ? unknown : percent(one.errorPct)}
        />
        <Figure
          name={t('adminIntegrations.uptime')}
          value={one.uptimePct === null ? unknown : percent(one.uptimePct, 2)}
          note={t('adminIntegrations.uptimeText')}
        />
        <Figure
          name={t('adminIntegrations.latency')}
          value={one.p50Ms === null || one.p95Ms === null ? unknown : `${duration(one.p50Ms)} / ${duration(one.p95Ms)}`}
        />
        <Figure
          name={t('adminIntegrations.last')}
          value={one.lastAt === null ? t('adminIntegrations.never') : <RelativeTime at={one.lastAt} />}
        />
      </dl>
      <div className={styles.part}>
        <h3>{t('adminIntegrations.issues')}</h3>
        {one.issues.length === 0 ? (
          <span className={styles.note}>{t('adminIntegrations.noIssues')}</span>
        ) : (
          <ul className={styles.issues}>
            {one.issues.map(({ kind, count }) => (
              <li key={kind}>
                <span>{t(`adminIntegrations.issue.${kind}`)}</span>
                <strong>{number(count)}</strong>
              </li>
            ))}
          </ul>
        )}
      </div>
      {one.worst.length === 0 ? null : <Worst one={one} onResync={onResync} />}
    </Panel>
  );
}

function Worst({ one, onResync }: { one: Integration; onResync: (account: Account) => void }) {
  const { t } = useTranslation();
  const { number } = useAmounts();
  const columns: Column<Account>[] = [
    {
      key: 'account',
      header: t('adminIntegrations.account'),
      phone: 'title',
      cell: ({ address, calendars }) => (
        <TwoLines first={address} second={t('adminIntegrations.calendars', { count: calendars })} />
      ),
    },
    {
      key: 'failures',
      header: t('adminIntegrations.failures'),
      phone: 'aside',
      fit: true,
      cell: ({ failures }) => number(failures),
    },
    {
      key: 'code',
      header: t('adminIntegrations.code'),
      phone: 'start',
      fit: true,
      cell: ({ code, needsReconnect }) =>
        needsReconnect ? (
          <StateBadge state="bad">{t('adminIntegrations.needsReconnect')}</StateBadge>
        ) : (
          (code ?? t('adminIntegrations.noCode'))
        ),
    },
    {
      key: 'synced',
      header: t('adminIntegrations.synced'),
      phone: 'end',
      fit: true,
      cell: ({ lastSyncedAt }) =>
        lastSyncedAt === null ? t('adminIntegrations.never') : <RelativeTime at={lastSyncedAt} />,
    },
    {
      key: 'act',
      header: <span className="hf-sr-only">{t('adminIntegrations.resync')}</span>,
      phone: 'actions',
      fit: true,
      cell: (account) => (
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('adminIntegrations.resyncOf', { name: account.address })}
          onClick={() => onResync(account)}
        >
          {t('adminIntegrations.resync')}
        </Button>
      ),
    },
  ];
  return (
    <div className={styles.part}>
      <h3>{t('adminIntegrations.worst')}</h3>
      <div className={styles.worst}>
        <DataTable
          caption={t('adminIntegrations.worst')}
          columns={columns}
          rows={one.worst}
          keyOf={({ accountId }) => accountId}
        />
      </div>
    </div>
  );
}
