import type Stripe from 'stripe';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { openStripe, type StripeAccess } from './open-stripe.ts';

type StripeApp = Parameters<typeof openStripe>[0] & Pick<App, 'log'>;

/**
 * Does something at Stripe that a person waits for. Never within a transaction.
 *
 * *Errors*: AppError conflict (BILLING_OFF, CARD_DECLINED), unavailable.
 */
export async function askStripe<T>(app: StripeApp, act: (access: StripeAccess) => Promise<T>): Promise<T> {
  const access = await openStripe(app);
  if (access === null)
    throw new AppError('conflict', 'BILLING_OFF', 'Everything is included here, and there is nothing to pay.');
  try {
    return await act(access);
  } catch (error) {
    if (!isOfStripe(error)) throw error;
    if (error.type === 'StripeCardError')
      throw new AppError('conflict', 'CARD_DECLINED', `${error.message} Nothing was changed.`, { cause: error });
    const isOurs =
      error.type === 'StripeConnectionError' || error.type === 'StripeAPIError' || error.statusCode === 429;
    app.log[isOurs ? 'warn' : 'error']({ err: error, code: error.code }, 'Stripe did not do what it was asked for');
    const why = isOurs
      ? 'Stripe, which takes the payments, does not answer. What you have goes on; try again in a minute.'
      : 'Stripe, which takes the payments, refuses this. What you have goes on; whoever runs this install finds the reason in its log.';
    throw new AppError('unavailable', 'UNAVAILABLE', why, { cause: error });
  }
}

/** Whether Stripe says that there is no such thing (any more). */
export const isMissing = (error: unknown) =>
  isOfStripe(error) && (error.code === 'resource_missing' || error.statusCode === 404);

/** By what every error of its library has: the class would have to be read with all of the library. */
const isOfStripe = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Error && 'type' in error && 'rawType' in error;
