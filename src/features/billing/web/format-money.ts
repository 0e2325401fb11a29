/** `$12` or `$15.99`: an amount in the smallest unit of its currency, as its reader writes it. */
export function formatMoney(amount: number, currency: string, locale: string): string {
  const style = { style: 'currency', currency: currency.toUpperCase() } as const;
  const digits = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2;
  const value = amount / 10 ** digits;
  return new Intl.NumberFormat(locale, {
    ...style,
    ...(Number.isInteger(value) ? { minimumFractionDigits: 0 } : {}),
  }).format(value);
}
