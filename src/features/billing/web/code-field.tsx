import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './billing.module.css';
import { formatMoney } from './format-money.ts';
import { type Billing, useRedeem } from './queries.ts';

/** Field for a code, for people without a subscription; an unused discount is shown. */
export function CodeField({ billing: { discount } }: { billing: Billing }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { locale } = usePreferences();
  const redeem = useRedeem();
  const [code, setCode] = useState('');
  const off =
    discount === null
      ? null
      : discount.percent !== null
        ? t('billing.code.percentOff', { percent: discount.percent })
        : t('billing.code.amountOff', {
            amount: formatMoney(discount.amount ?? 0, discount.currency ?? 'usd', locale),
          });
  return (
    <Panel title={t('billing.code.title')} text={t('billing.code.text')}>
      <form
        className={styles.code}
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() === '' || redeem.isPending) return;
          redeem.mutate(code.trim(), {
            onSuccess: () => {
              setCode('');
              showToast({ subject: 'code', state: 'ok', message: t('billing.code.used') });
            },
          });
        }}
      >
        <TextField
          label={t('billing.code.label')}
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={code}
          error={redeem.isError ? errorText(redeem.error) : null}
          onChange={(event) => {
            redeem.reset();
            setCode(event.currentTarget.value);
          }}
        />
        <ActionButton variant="default" pending={redeem.isPending} pendingLabel={t('billing.saving')}>
          {t('billing.code.use')}
        </ActionButton>
      </form>
      {discount === null || off === null ? null : (
        <p className={styles.off} role="status">
          {discount.months === null
            ? t('billing.code.offForGood', { code: discount.code, off })
            : t('billing.code.offFor', { code: discount.code, off, count: discount.months })}
        </p>
      )}
    </Panel>
  );
}
