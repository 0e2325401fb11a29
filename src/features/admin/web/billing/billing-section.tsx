import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { DataTable, TwoLines } from '#ui/data-table.tsx';
import { formatFigures } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SectionState } from '../section-state.tsx';
import { useAmounts } from '../use-amounts.ts';
import { type Plan, useInvoices, usePlans } from './billing-queries.ts';
import styles from './billing-section.module.css';
import { CodesPanel } from './codes-panel.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { TrialPanel } from './trial-panel.tsx';

/** Plans, payments, and trials. */
export function BillingSection() {
  const { t } = useTranslation();
  const plans = usePlans();
  return (
    <SectionState query={plans} failed={t('adminBilling.loadFailed')}>
      {(found) => (
        <div className={styles.panels}>
          {found.billing === 'off' ? (
            <Banner state="info" title={t('adminBilling.off')}>
              {t('adminBilling.offText')}
            </Banner>
          ) : null}
          <PlansPanel plans={found.plans} />
          {found.billing === 'on' ? (
            <>
              <TrialPanel />
              <CodesPanel currency={found.plans.find(({ amount }) => amount > 0)?.currency ?? 'usd'} />
            </>
          ) : null}
          <InvoicesPanel />
        </div>
      )}
    </SectionState>
  );
}

function PlansPanel({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation();
  const { money } = useAmounts();
  const [editing, setEditing] = useState<Plan | null>(null);
  return (
    <Panel title={t('adminBilling.plans')} text={t('adminBilling.plansText')} flush>
      <DataTable
        caption={t('adminBilling.plans')}
        rows={plans}
        keyOf={({ key }) => key}
        columns={[
          {
            key: 'name',
            header: t('adminBilling.name'),
            cell: (plan) => (
              <TwoLines
                first={
                  <>
                    {plan.name} {plan.mostPopular ? <Tag>{t('adminBilling.mostPopular')}</Tag> : null}
                  </>
                }
                second={plan.features.join(', ')}
              />
            ),
            phone: 'title',
          },
          {
            key: 'price',
            header: t('adminBilling.price'),
            cell: (plan) =>
              plan.trialDays === null
                ? t(`adminBilling.every.${plan.every}`, { price: money(plan.amount, plan.currency) })
                : t('adminBilling.days', { count: plan.trialDays }),
            phone: 'line',
          },
          {
            key: 'state',
            header: t('adminBilling.state'),
            cell: ({ active }) => (
              <StateBadge state={active ? 'ok' : 'idle'}>
                {t(active ? 'adminBilling.active' : 'adminBilling.inactive')}
              </StateBadge>
            ),
            phone: 'aside',
          },
          {
            key: 'edit',
            header: <span className={styles.hidden}>{t('adminBilling.edit')}</span>,
            cell: (plan) => (
              <Button
                variant="subtle"
                size="xs"
                aria-label={t('adminBilling.editOf', { plan: plan.name })}
                onClick={() => setEditing(plan)}
              >
                {t('adminBilling.edit')}
              </Button>
            ),
            phone: 'actions',
            fit: true,
          },
        ]}
      />
      {editing === null ? null : <PlanDialog key={editing.key} plan={editing} onClose={() => setEditing(null)} />}
    </Panel>
  );
}

function InvoicesPanel() {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const { money } = useAmounts();
  const invoices = useInvoices();
  const rows = invoices.data?.pages.flatMap((page) => page.invoices) ?? [];
  if (invoices.data === undefined || rows.length === 0)
    return (
      <Panel title={t('adminBilling.invoices')}>
        <p className={styles.dim}>
          {invoices.isError ? t('adminBilling.invoicesFailed') : invoices.data ? t('adminBilling.noInvoices') : '…'}
        </p>
      </Panel>
    );
  return (
    <Panel title={t('adminBilling.invoices')} flush>
      <DataTable
        caption={t('adminBilling.invoices')}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { key: 'email', header: t('adminBilling.person'), cell: ({ email }) => email, phone: 'title' },
          {
            key: 'date',
            header: t('adminBilling.date'),
            cell: ({ created }) => formatFigures(created, preferences),
            phone: 'line',
          },
          {
            key: 'amount',
            header: t('adminBilling.amount'),
            cell: ({ amount, currency }) => money(amount, currency),
            phone: 'aside',
          },
          {
            key: 'status',
            header: t('adminBilling.state'),
            cell: ({ status }) => (
              <StateBadge state={status === 'paid' ? 'ok' : 'bad'}>
                {t(status === 'paid' ? 'adminBilling.paid' : 'adminBilling.unpaid')}
              </StateBadge>
            ),
            phone: 'start',
          },
        ]}
      />
      {invoices.hasNextPage ? (
        <div className={styles.more}>
          <ActionButton
            type="button"
            variant="default"
            pending={invoices.isFetchingNextPage}
            pendingLabel={t('shell.loading')}
            onClick={() => void invoices.fetchNextPage()}
          >
            {t('adminBilling.more')}
          </ActionButton>
        </div>
      ) : null}
    </Panel>
  );
}
