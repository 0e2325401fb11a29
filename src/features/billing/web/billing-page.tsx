import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { BillingBanner } from './billing-banner.tsx';
import { CodeField } from './code-field.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { InvoiceHistory } from './invoice-history.tsx';
import { PlanChoice } from './plan-choice.tsx';
import { PlanFeatures } from './plan-features.tsx';
import { type Billing, useBilling, useRefreshBilling } from './queries.ts';

export function BillingPage() {
  const { t } = useTranslation();
  const billing = useBilling();
  return (
    <Page title={t('billing.title')} subtitle={t('billing.subtitle')} width="narrow">
      {billing.data ? (
        <Shown billing={billing.data} />
      ) : (
        <Panel>
          {billing.error ? (
            <ErrorState title={t('billing.loadFailed')} error={billing.error} onRetry={() => void billing.refetch()} />
          ) : (
            <SkeletonRows rows={4} label={t('shell.loading')} />
          )}
        </Panel>
      )}
    </Page>
  );
}

function Shown({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  useReturn(billing.billing === 'on');
  if (billing.billing === 'off')
    return (
      <Panel>
        <EmptyState art="building" title={t('billing.off.title')} text={t('billing.off.text')} />
      </Panel>
    );
  return (
    <>
      <BillingBanner billing={billing} />
      <CurrentPlan billing={billing} />
      <PlanFeatures billing={billing} />
      {billing.source === 'subscription' ? null : <CodeField billing={billing} />}
      <PlanChoice billing={billing} />
      <InvoiceHistory invoices={billing.invoices} />
    </>
  );
}

/** Refreshes the data from Stripe after a return from checkout; the address is never trusted. */
function useReturn(on: boolean): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { checkout }: { checkout?: 'done' | 'left' } = useSearch({ strict: false });
  const { mutate } = useRefreshBilling();
  useEffect(() => {
    if (checkout === undefined || !on) return;
    void navigate({ to: '/billing', search: {}, replace: true });
    if (checkout === 'left') showToast({ subject: 'billing', state: 'idle', message: t('billing.left') });
    else
      mutate(undefined, {
        onSuccess: ({ source, plan }) => {
          const isPaid = source === 'subscription';
          const message = isPaid ? t('billing.done', { plan: plan?.name }) : t('billing.notYet');
          showToast({ subject: 'billing', state: isPaid ? 'ok' : 'pending', message });
        },
      });
  }, [checkout, on, navigate, mutate, t]);
}
