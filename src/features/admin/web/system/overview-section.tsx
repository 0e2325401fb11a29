import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SectionState } from '../section-state.tsx';
import { useAmounts } from '../use-amounts.ts';
import { HealthBadge } from './health-badge.tsx';
import { type CardId, cardIds } from './overview-cards.ts';
import { OverviewDetails } from './overview-details.tsx';
import styles from './overview-section.module.css';
import { RecentActivity } from './recent-activity.tsx';
import { ShareList } from './share-list.tsx';
import { type Overview, useCountNow, useOverview } from './system-queries.ts';
import { tiersOf } from './tiers-of.ts';
import { usePartName } from './use-part-name.ts';

/** The install at a glance; each card opens what it is made of. */
export function OverviewSection() {
  const { t } = useTranslation();
  const query = useOverview();
  const count = useCountNow();
  const [open, setOpen] = useState<CardId | null>(null);
  return (
    <SectionState query={query} failed={t('adminOverview.loadFailed')}>
      {(view) => (
        <div className={styles.section}>
          <div className={styles.line}>
            <span>
              {view.counts === null ? (
                t('adminOverview.notCounted')
              ) : (
                <>
                  {t('adminOverview.counted')} <RelativeTime at={view.counts.at} />
                </>
              )}
            </span>
            <ActionButton
              type="button"
              variant="default"
              pending={count.isPending}
              pendingLabel={t('adminOverview.counting')}
              onClick={() => count.mutate()}
            >
              {t('adminOverview.countNow')}
            </ActionButton>
          </div>
          <Cards view={view} onOpen={setOpen} />
          <div className={styles.pair}>
            <Breakdown view={view} />
            <Services view={view} />
          </div>
          <RecentActivity />
          <Dialog
            opened={open !== null}
            isLow
            onClose={() => setOpen(null)}
            title={open === null ? '' : t(`adminOverview.modal.${open}`)}
          >
            {open === null ? null : <OverviewDetails of={open} view={view} />}
          </Dialog>
        </div>
      )}
    </SectionState>
  );
}

function Cards({ view, onOpen }: { view: Overview; onOpen: (card: CardId) => void }) {
  const { t } = useTranslation();
  const { number, percent, money } = useAmounts();
  const { counts, health, sync, integrations } = view;
  const unknown = t('adminOverview.unknown');
  const billing = counts?.billing ?? null;
  const partName = usePartName();
  // A state other than healthy names its parts: beside it, "8 of 8 parts work" contradicts.
  const strained = health.services.filter(({ status }) => status !== 'healthy');
  const working = health.services.filter(({ status }) => status === 'healthy' || status === 'degraded').length;
  const accounts = integrations.reduce((sum, one) => sum + one.accounts, 0);
  const figures: Record<CardId, { value: ReactNode; note: ReactNode }> = {
    activeUsers: {
      value: counts === null ? unknown : number(counts.people.active),
      note:
        counts === null
          ? null
          : t('adminOverview.activeOf', { all: number(counts.people.all), joined: number(counts.people.joined) }),
    },
    systemHealth: {
      value: health.services.length === 0 ? unknown : t(`adminHealth.status.${health.status}`),
      note:
        strained.length === 0
          ? t('adminOverview.working', { working, all: health.services.length })
          : t('adminOverview.strained', { parts: strained.map(partName).join(', ') }),
    },
    syncReliability: {
      value: sync.errorPct === null ? unknown : percent(100 - sync.errorPct),
      note: t('adminOverview.readings', { count: sync.calls }),
    },
    integrations: { value: number(accounts), note: t('adminOverview.kinds', { count: integrations.length }) },
    revenue: {
      value:
        billing === null
          ? t('adminOverview.billingOff')
          : billing.monthly.map(({ amount, currency }) => money(amount, currency)).join(' + ') ||
            t('adminOverview.nothing'),
      note: billing === null ? null : t('adminOverview.aMonth'),
    },
    subscriptions: {
      value: counts === null ? unknown : number(counts.people.all),
      note: t('adminOverview.onPlans', { count: billing?.tiers.length ?? 1 }),
    },
  };
  return (
    <div className={styles.cards}>
      {cardIds.map((card) => (
        <button key={card} type="button" className={styles.card} data-card={card} onClick={() => onOpen(card)}>
          <span className={styles.name}>{t(`adminOverview.card.${card}`)}</span>
          <span className={styles.value}>{figures[card].value}</span>
          <span className={styles.note}>{figures[card].note}</span>
          <span className="hf-sr-only">{t('adminOverview.details')}</span>
        </button>
      ))}
    </div>
  );
}

function Breakdown({ view: { counts } }: { view: Overview }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('adminOverview.breakdown')} text={t('adminOverview.breakdownText')}>
      {counts === null ? (
        t('adminOverview.notCounted')
      ) : (
        <ShareList rows={tiersOf(counts, t)} label={t('adminOverview.breakdown')} />
      )}
    </Panel>
  );
}

type Service = Overview['health']['services'][number];

function Services({ view }: { view: Overview }) {
  const { t } = useTranslation();
  const { duration, percent } = useAmounts();
  const nameOf = usePartName();
  const unknown = t('adminOverview.unknown');
  const columns: Column<Service>[] = [
    { key: 'name', header: t('adminHealth.column.service'), phone: 'title', cell: nameOf },
    {
      key: 'status',
      header: t('adminHealth.column.status'),
      phone: 'aside',
      fit: true,
      cell: ({ status }) => <HealthBadge status={status} />,
    },
    {
      key: 'latency',
      header: t('adminHealth.column.latency'),
      phone: 'start',
      fit: true,
      cell: ({ latencyMs }) => (latencyMs === null ? unknown : duration(latencyMs)),
    },
    {
      key: 'success',
      header: t('adminHealth.column.success'),
      phone: 'end',
      fit: true,
      cell: ({ successPct }) => (successPct === null ? unknown : percent(successPct)),
    },
  ];
  return (
    <Panel title={t('adminOverview.services')} flush>
      <DataTable
        caption={t('adminOverview.services')}
        columns={columns}
        rows={view.health.services}
        keyOf={({ name, provider }) => `${name}:${provider}`}
      />
    </Panel>
  );
}
