/** The purpose of a mailed code. Each person has one valid code for each purpose. */
export type MailCodePurpose = 'verify' | 'reset' | 'change-email';

/** Long enough to find the mail in the evening; a reset is asked for by somebody who waits for it. */
export const mailCodeSeconds: Readonly<Record<MailCodePurpose, number>> = {
  verify: 86_400,
  reset: 900,
  'change-email': 86_400,
};

/** The page a mail leads to. It only shows a button: scanners that open links have no effect. */
const pages: Readonly<Record<MailCodePurpose, string>> = {
  verify: '/verify-email',
  reset: '/password/reset',
  'change-email': '/verify-email',
};

/** Under the configured address, whatever Host a request named. */
export function mailCodeLink(publicUrl: string, purpose: MailCodePurpose, email: string, code: string): string {
  return `${publicUrl}${pages[purpose]}?${new URLSearchParams({ email, code }).toString()}`;
}

/** The parts of a mail with a code. */
export interface MintedMailCode {
  link: string;
  /** Names this code and no other, and tells nothing about it: the key of its mail. */
  id: string;
  expiresAtMs: number;
}
