import type { Config } from '#platform/config.ts';

/** Whether this install asks people for money. Without a key of Stripe's it has one plan, with everything in it. */
export const isBillingOn = ({ stripe }: Pick<Config, 'stripe'>): boolean => stripe !== undefined;

/** Whether the key is for real money: what was made with one for tests is nothing then, and the other way round. */
export const isLiveKey = ({ stripe }: Pick<Config, 'stripe'>): boolean => /^[sr]k_live_/.test(stripe?.secretKey ?? '');
