import { ProviderError } from '#kernel/errors.ts';

/** An answer to an event whose guests do not include the owner of its calendar, or no longer. */
export const notInvited = (): ProviderError =>
  new ProviderError('rejected', 'NOT_INVITED', "This account isn't invited to the event, so it can't respond.");
