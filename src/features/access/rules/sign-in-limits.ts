/** One network at one account: somebody who mistypes, or who guesses. A sign-in that succeeds gives it back. */
export const perAccountAndNetwork = {
  action: 'sign-in, account and network',
  burst: 10,
  periodSeconds: 900,
};
/** Many networks at one account. Wider, and over in minutes: nobody may lock its owner out for long. */
export const perAccount = { action: 'sign-in, account', burst: 100, periodSeconds: 900 };
/** One network at many accounts; an office signs in through one. */
export const perNetwork = { action: 'sign-in, network', burst: 100, periodSeconds: 900 };
export const signUpsPerNetwork = { action: 'sign-up, network', burst: 100, periodSeconds: 3_600 };
