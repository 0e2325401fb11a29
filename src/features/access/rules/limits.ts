/** One network at one account: somebody who mistypes, or who guesses. A sign-in that succeeds gives it back. */
export const perAccountAndNetwork = {
  action: 'sign-in, account and network',
  burst: 10,
  periodSeconds: 900,
};
/** Many networks at one account. Wider, and over in minutes: nobody may lock its owner out for long. */
export const perAccount = { action: 'sign-in, account', burst: 100, periodSeconds: 900 };
/** One network at many accounts; an office signs in through one. */
export const signInsPerNetwork = { action: 'sign-in, network', burst: 100, periodSeconds: 900 };
export const signUpsPerNetwork = { action: 'sign-up, network', burst: 100, periodSeconds: 3_600 };
/** Sign-ups of everybody together that need no work, and those of browsers that cannot do any. */
export const busySignUp = {
  purpose: 'sign-up',
  quiet: { action: 'sign-up, without work', burst: 200, periodSeconds: 3_600 },
  plain: { action: 'sign-up, without script', burst: 50, periodSeconds: 3_600 },
};
/** The same of mails that somebody asks for. */
export const busyMail = {
  purpose: 'mail',
  quiet: { action: 'asking for a mail, without work', burst: 200, periodSeconds: 3_600 },
  plain: { action: 'asking for a mail, without script', burst: 50, periodSeconds: 3_600 },
};
/** Mails that anybody may have sent to an address they type. */
export const mailsAskedPerNetwork = { action: 'asking for a mail, network', burst: 30, periodSeconds: 3_600 };
/**
 * One every twelve minutes after the first five; a reset lives for fifteen. A request in another person's name can
 * neither flood them nor keep them from a working link.
 */
export const mailsPerAddress = { action: 'mail with a code, address', burst: 5, periodSeconds: 3_600 };
/**
 * Limits against load: a code of 128 bits cannot be guessed, but attempts cost the database. The second limit never
 * refuses a right code.
 */
export const codesPerNetwork = { action: 'code of a mail, network', burst: 60, periodSeconds: 900 };
export const wrongCodesPerAddress = { action: 'wrong code of a mail, address', burst: 20, periodSeconds: 900 };
export const addressChangesPerAccount = { action: 'change of address, account', burst: 5, periodSeconds: 3_600 };
/** Browsers that come back from a provider, which is then asked who they are. */
export const returnsPerNetwork = { action: 'back from a provider, network', burst: 60, periodSeconds: 900 };
/** Each costs a hash. */
export const passwordChangesPerAccount = { action: 'change of password, account', burst: 20, periodSeconds: 3_600 };
