import { AppError } from '#kernel/errors.ts';
import type { Tx } from '#platform/db.ts';
import { maySignUp } from './rules/sign-up.ts';
import { readSignUp } from './store/settings.ts';

/** Lets those in whom the operator lets in; says nothing about whether an address has an account. *Errors*: AppError forbidden (SIGN_UP_CLOSED). */
export async function demandSignUp(tx: Tx, email: string): Promise<void> {
  const { policy, allowed } = await readSignUp(tx);
  if (maySignUp(policy, allowed, email)) return;
  throw new AppError(
    'forbidden',
    'SIGN_UP_CLOSED',
    policy === 'closed'
      ? 'Nobody can sign up here at present. No account was made; ask whoever runs this install.'
      : 'Only those who are invited can sign up here. No account was made; ask whoever runs this install to invite your address.',
  );
}
