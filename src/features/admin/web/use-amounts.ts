import { useTranslation } from 'react-i18next';
import { usePreferences } from '#ui/preferences.tsx';

/** Numbers as their person reads them. */
export function useAmounts() {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const number = (value: number, digits = 0) =>
    value.toLocaleString(locale, { maximumFractionDigits: digits, minimumFractionDigits: 0 });
  const digitsOf = (currency: string) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  return {
    number,
    /** How many of the smallest unit's digits stand after the point. */
    digitsOf,
    /** To one decimal, or two where that decides. */
    percent: (value: number, digits = 1) =>
      (value / 100).toLocaleString(locale, {
        style: 'percent',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
    /** From the smallest unit of the currency. */
    money(amount: number, currency: string): string {
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
      return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
    },
    duration(ms: number): string {
      if (ms < 1_000) return t('adminHealth.ms', { amount: number(ms, ms < 10 ? 1 : 0) });
      if (ms < 60_000) return t('adminHealth.seconds', { amount: number(ms / 1_000, 1) });
      if (ms < 3_600_000) return t('adminHealth.minutes', { amount: number(ms / 60_000) });
      return t('adminHealth.hours', { amount: number(ms / 3_600_000, 1) });
    },
  };
}
