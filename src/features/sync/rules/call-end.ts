import type { ProviderErrorKind } from '#kernel/errors.ts';

/** How a reading ended: answered, not let in, told to wait, refused, or without an answer. */
export const callEnds = ['answered', 'auth', 'limited', 'refused', 'silent'] as const;
export type CallEnd = (typeof callEnds)[number];

/** A cursor that has expired was answered: the next reading lists everything. */
export const endOfError: Record<ProviderErrorKind, CallEnd> = {
  auth: 'auth',
  'rate-limited': 'limited',
  'cursor-expired': 'answered',
  'not-found': 'refused',
  precondition: 'refused',
  rejected: 'refused',
  transient: 'silent',
};
