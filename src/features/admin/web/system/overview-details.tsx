import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { useAmounts } from '../use-amounts.ts';
import { HealthBadge } from './health-badge.tsx';
import type { CardId } from './overview-cards.ts';
import styles from './overview-section.module.css';
import { ShareList } from './share-list.tsx';
import type { Overview } from './system-queries.ts';
import { tiersOf } from './tiers-of.ts';
import { usePartName } from './use-part-name.ts';

/** The details of a card. */
export function OverviewDetails({ of, view }: { of: CardId; view: Overview }) {
  const parts: Record<CardId, () => ReactNode> = {
    activeUsers: () => <People view={view} />,
    systemHealth: () => <Parts view={view} />,
    syncReliability: () => <Errors view={view} />,
    integrations: () => <Kinds view={view} />,
    revenue: () => <Revenue view={view} />,
    subscriptions: () => <Subscriptions view={view} />,
  };
  return parts[of]();
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Rows({ rows, none }: { rows: readonly (readonly [ReactNode, ReactNode])[]; none: string }) {
  if (rows.length === 0) return <p className={styles.note}>{none}</p>;
  return (
    <ul className={styles.rows}>
      {rows.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be parts of a screen, and rows never move
        <li key={at} className={styles.ends}>
          <span>{name}</span>
          <span>{value}</span>
        </li>
      ))}
    </ul>
  );
}

function People({ view: { counts, integrations } }: { view: Overview }) {
  const { t } = useTranslation();
  const { number } = useAmounts();
  const labelOf = (name: string) => integrations.find((one) => one.name === name)?.label ?? name;
  const none = counts === null ? t('adminOverview.notCounted') : t('adminOverview.nobody');
  return (
    <>
      <Part title={t('adminOverview.regions')}>
        <Rows rows={(counts?.regions ?? []).map(({ name, people }) => [name, number(people)])} none={none} />
      </Part>
      <Part title={t('adminOverview.byIntegration')}>
        <Rows
          rows={(counts?.integrations ?? []).map(({ name, people }) => [labelOf(name), number(people)])}
          none={none}
        />
      </Part>
    </>
  );
}

function Parts({ view }: { view: Overview }) {
  const { t } = useTranslation();
  const { duration } = useAmounts();
  const nameOf = usePartName();
  type Service = Overview['health']['services'][number];
  const columns: Column<Service>[] = [
    { key: 'name', header: t('adminOverview.column.name'), phone: 'title', cell: nameOf },
    {
      key: 'latency',
      header: t('adminHealth.column.latency'),
      phone: 'start',
      fit: true,
      cell: ({ latencyMs }) => (latencyMs === null ? t('adminOverview.unknown') : duration(latencyMs)),
    },
    {
      key: 'status',
      header: t('adminHealth.column.status'),
      phone: 'aside',
      fit: true,
      cell: ({ status }) => <HealthBadge status={status} />,
    },
  ];
  return (
    <DataTable
      caption={t('adminOverview.modal.systemHealth')}
      columns={columns}
      rows={view.health.services}
      keyOf={({ name, provider }) => `${name}:${provider}`}
    />
  );
}

function Errors({ view: { sync } }: { view: Overview }) {
  const { t } = useTranslation();
  const { number } = useAmounts();
  return (
    <>
      <Part title={t('adminOverview.answered')}>
        <Rows rows={[[t('adminOverview.answered'), `${number(sync.synced)} / ${number(sync.calls)}`]]} none="" />
      </Part>
      <Part title={t('adminOverview.errors')}>
        <Rows
          rows={sync.issues.map(({ kind, count }) => [t(`adminIntegrations.issue.${kind}`), number(count)])}
          none={t('adminOverview.noErrors')}
        />
      </Part>
    </>
  );
}

function Kinds({ view: { integrations } }: { view: Overview }) {
  const { t } = useTranslation();
  const { number, percent } = useAmounts();
  type Kind = Overview['integrations'][number];
  if (integrations.length === 0) return <p className={styles.note}>{t('adminIntegrations.none')}</p>;
  const columns: Column<Kind>[] = [
    {
      key: 'name',
      header: t('adminOverview.column.name'),
      phone: 'title',
      cell: ({ color, label }) => (
        <>
          <ColorMark color={color} /> {label}
        </>
      ),
    },
    {
      key: 'accounts',
      header: t('adminOverview.column.accounts'),
      phone: 'aside',
      fit: true,
      cell: ({ accounts }) => number(accounts),
    },
    {
      key: 'syncs',
      header: t('adminOverview.column.syncs'),
      phone: 'start',
      fit: true,
      cell: ({ synced }) => number(synced),
    },
    {
      key: 'errors',
      header: t('adminOverview.column.errorRate'),
      phone: 'end',
      fit: true,
      cell: ({ errorPct }) => (errorPct === null ? t('adminOverview.unknown') : percent(errorPct)),
    },
  ];
  return (
    <DataTable
      caption={t('adminOverview.modal.integrations')}
      columns={columns}
      rows={integrations}
      keyOf={({ name }) => name}
    />
  );
}

function Revenue({ view: { counts } }: { view: Overview }) {
  const { t } = useTranslation();
  const { money } = useAmounts();
  const billing = counts?.billing;
  if (!billing) return <p>{t('adminOverview.billingOffText')}</p>;
  const rows = (list: readonly { currency: string; amount: number }[]) =>
    list.map(({ currency, amount }) => [currency.toUpperCase(), money(amount, currency)] as const);
  return (
    <>
      <Part title={t('adminOverview.expected')}>
        <Rows rows={rows(billing.monthly)} none={t('adminOverview.nothing')} />
      </Part>
      <Part title={t('adminOverview.paid')}>
        <Rows rows={rows(billing.paid)} none={t('adminOverview.nothing')} />
      </Part>
    </>
  );
}

function Subscriptions({ view: { counts } }: { view: Overview }) {
  const { t } = useTranslation();
  if (counts === null) return <p className={styles.note}>{t('adminOverview.notCounted')}</p>;
  const { billing } = counts;
  return (
    <>
      <Part title={t('adminOverview.breakdown')}>
        <ShareList rows={tiersOf(counts, t)} label={t('adminOverview.breakdown')} />
      </Part>
      {billing === null ? (
        <p className={styles.note}>{t('adminOverview.billingOffText')}</p>
      ) : (
        <Part title={t('adminOverview.states')}>
          <ShareList
            rows={billing.states.map((one) => ({ ...one, name: t(`adminOverview.state.${one.name}`) }))}
            label={t('adminOverview.states')}
          />
        </Part>
      )}
    </>
  );
}
