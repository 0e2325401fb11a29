import { AppError } from '#kernel/errors.ts';

/**
 * Refuses somebody whose account is being deleted or suspended, at every way in, once they have proved who they are. To
 * anybody else it is an account like any other. *Errors*: AppError forbidden (ACCOUNT_LEAVING, ACCOUNT_SUSPENDED); declare
 * them in the endpoint's contract.
 */
export function demandStaying(user: {
  leaving_at: Temporal.Instant | null;
  suspended_at: Temporal.Instant | null;
}): void {
  if (user.leaving_at === null && user.suspended_at !== null) {
    throw new AppError(
      'forbidden',
      'ACCOUNT_SUSPENDED',
      'This account is suspended. Everything in it is kept; ask whoever runs this server to open it again.',
    );
  }
  if (user.leaving_at === null) return;
  throw new AppError(
    'forbidden',
    'ACCOUNT_LEAVING',
    'This account is being deleted, and nobody gets in any more. A mail says when it is gone; its address is free then.',
  );
}
