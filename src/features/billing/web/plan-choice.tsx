import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { ActionButton } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './billing.module.css';
import { formatMoney } from './format-money.ts';
import { type Billing, type Plan, useChangePlan, useCheckout } from './queries.ts';

/** The other plans. Subscribers switch here; other users go to Stripe's checkout. */
export function PlanChoice({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { locale } = usePreferences();
  const checkout = useCheckout();
  const change = useChangePlan();
  const [wanted, setWanted] = useState<Plan | null>(null);
  const { status } = billing;
  const subscribed = status === 'active' || status === 'trialing' || status === 'past_due';
  const fail = (error: unknown) => showToast({ subject: 'billing', state: 'bad', message: errorText(error) });
  const forSale = billing.plans.filter(({ amount }) => amount > 0);
  const isMore =
    wanted !== null && wanted.amount > (billing.plans.find((one) => one.key === billing.subscribedPlan)?.amount ?? 0);
  return (
    <Panel title={t('billing.plans')} text={t('billing.plansText')}>
      <ul className={styles.plans}>
        {forSale.map((plan) => {
          const isTheirs = subscribed && plan.key === billing.subscribedPlan;
          return (
            <li key={plan.key} data-current={isTheirs || undefined}>
              <p className={styles.plan}>
                <strong>{plan.name}</strong>
                {plan.mostPopular ? <Tag>{t('billing.mostPopular')}</Tag> : null}
              </p>
              <p>{t(`billing.price.${plan.every}`, { price: formatMoney(plan.amount, plan.currency, locale) })}</p>
              <p className={styles.dim}>{plan.description}</p>
              <ActionButton
                type="button"
                variant={plan.mostPopular && !subscribed ? 'filled' : 'default'}
                disabled={isTheirs}
                pending={checkout.isPending && checkout.variables === plan.key}
                pendingLabel={t('billing.opening')}
                onClick={() => {
                  if (subscribed) setWanted(plan);
                  else checkout.mutate(plan.key, { onError: fail });
                }}
              >
                {isTheirs ? t('billing.theirs') : t('billing.choose', { plan: plan.name })}
              </ActionButton>
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        opened={wanted !== null}
        title={t('billing.changeQuestion', { plan: wanted?.name ?? '' })}
        confirmLabel={t('billing.changeConfirm')}
        pendingLabel={t('billing.saving')}
        pending={change.isPending}
        onClose={() => setWanted(null)}
        onConfirm={() => {
          if (wanted === null) return;
          change.mutate(wanted.key, {
            onSuccess: () =>
              showToast({ subject: 'billing', state: 'ok', message: t('billing.changed', { plan: wanted.name }) }),
            onError: fail,
            onSettled: () => setWanted(null),
          });
        }}
      >
        <p>{t(isMore ? 'billing.changeMore' : 'billing.changeLess')}</p>
      </ConfirmDialog>
    </Panel>
  );
}
