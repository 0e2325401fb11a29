import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { useNowMs } from '#ui/clock.ts';
import { formatDay } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { PortalButton } from './portal-button.tsx';
import type { Billing } from './queries.ts';

/** Urgent news about the plan. */
export function BillingBanner({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const day = (ms: number) => formatDay(ms, preferences, nowMs);
  const { status, graceUntil, source, trialEndsAt } = billing;
  if (status === 'past_due' || status === 'unpaid') {
    const goesOn = graceUntil !== null && nowMs < graceUntil && source === 'subscription';
    const retry = billing.invoices.find(({ nextAttempt }) => nextAttempt !== null)?.nextAttempt ?? null;
    return (
      <Banner
        state={goesOn ? 'warn' : 'bad'}
        title={t('billing.dunning.title')}
        actions={<PortalButton label={t('billing.dunning.card')} />}
      >
        {goesOn ? t('billing.dunning.grace', { day: day(graceUntil) }) : t('billing.dunning.over')}{' '}
        {retry === null ? null : t('billing.dunning.retry', { day: day(retry) })}
      </Banner>
    );
  }
  if (source === 'none')
    return (
      <Banner state="warn" title={t('billing.none.title')}>
        {t('billing.none.text')}
      </Banner>
    );
  if (source === 'trial' && trialEndsAt !== null)
    return (
      <Banner state="info" title={t('billing.trial.title', { day: day(trialEndsAt) })}>
        {t('billing.trial.text')}
      </Banner>
    );
  return null;
}
