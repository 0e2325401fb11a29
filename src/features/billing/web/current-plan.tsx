import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { formatDay } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import type { State } from '#ui/state.ts';
import { showToast } from '#ui/toasts.tsx';
import styles from './billing.module.css';
import { formatMoney } from './format-money.ts';
import { PortalButton } from './portal-button.tsx';
import { type Billing, useCancel, useKeep } from './queries.ts';

type Status = NonNullable<Billing['status']>;

/** Green, blue, yellow, red, and grey for the rest; always with an icon and a word. */
const stateOf: Partial<Record<Status, State>> = {
  active: 'ok',
  trialing: 'working',
  past_due: 'warn',
  canceled: 'bad',
};

export function CurrentPlan({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const { plan, status, source, hasPortal } = billing;
  const preferences = usePreferences();
  // a current grant without a subscription precedes an ended subscription
  const isOther = source === 'trial' || source === 'free';
  const shown: Status | null = source === 'trial' ? 'trialing' : isOther ? null : status;
  return (
    <Panel title={t('billing.current')} actions={hasPortal ? <PortalButton label={t('billing.portal')} /> : undefined}>
      <div className={styles.current}>
        <div className={styles.words}>
          <p className={styles.plan}>
            <strong>{plan?.name ?? t('billing.noPlan')}</strong>
            {shown === null ? null : (
              <span className={shown === 'trialing' ? styles.trialing : undefined}>
                <StateBadge state={stateOf[shown] ?? 'idle'}>{t(`billing.status.${shown}`)}</StateBadge>
              </span>
            )}
          </p>
          {plan !== null && plan.amount > 0 ? (
            <p className={styles.dim}>
              {t(`billing.price.${plan.every}`, {
                price: formatMoney(plan.amount, plan.currency, preferences.locale),
              })}
            </p>
          ) : null}
          {isOther && status !== null ? (
            <p className={styles.plan}>
              <span className={styles.dim}>{t('billing.before')}</span>
              <StateBadge state={stateOf[status] ?? 'idle'}>{t(`billing.status.${status}`)}</StateBadge>
            </p>
          ) : null}
          <WhatFollows billing={billing} />
        </div>
        <EndOrKeep billing={billing} />
      </div>
    </Panel>
  );
}

function WhatFollows({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const day = (ms: number) => formatDay(ms, preferences, nowMs);
  const { cancelAt, nextInvoiceDate, nextInvoiceAmount, currency } = billing;
  if (cancelAt !== null) return <p className={styles.dim}>{t('billing.endsOn', { day: day(cancelAt) })}</p>;
  if (nextInvoiceDate === null || nextInvoiceAmount === null || currency === null) return null;
  return (
    <p className={styles.dim}>
      {t('billing.nextInvoice', {
        day: day(nextInvoiceDate),
        amount: formatMoney(nextInvoiceAmount, currency, preferences.locale),
      })}
    </p>
  );
}

/** Ending says what stays; it can be taken back for as long as the period lasts. */
function EndOrKeep({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [asking, setAsking] = useState(false);
  const cancel = useCancel();
  const keep = useKeep();
  const { status, cancelAt } = billing;
  if (status !== 'active' && status !== 'trialing' && status !== 'past_due') return null;
  const tell = (message: string) => showToast({ subject: 'billing', state: 'ok', message });
  const fail = (error: unknown) => showToast({ subject: 'billing', state: 'bad', message: errorText(error) });
  if (cancelAt !== null)
    return (
      <ActionButton
        type="button"
        pending={keep.isPending}
        pendingLabel={t('billing.saving')}
        onClick={() => keep.mutate(undefined, { onSuccess: () => tell(t('billing.kept')), onError: fail })}
      >
        {t('billing.keep')}
      </ActionButton>
    );
  return (
    <div>
      <Button variant="subtle" color="bad" onClick={() => setAsking(true)}>
        {t('billing.cancel')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('billing.cancelQuestion')}
        confirmLabel={t('billing.cancelConfirm')}
        pendingLabel={t('billing.saving')}
        pending={cancel.isPending}
        destructive
        onClose={() => setAsking(false)}
        onConfirm={() =>
          cancel.mutate(undefined, {
            onSuccess: () => tell(t('billing.cancelled')),
            onError: fail,
            onSettled: () => setAsking(false),
          })
        }
      >
        <p>{t('billing.cancelText')}</p>
      </ConfirmDialog>
    </div>
  );
}
