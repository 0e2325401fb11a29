import type { SessionId, UserId } from '#kernel/ids.ts';

export type UserRole = 'user' | 'admin';

declare const minted: unique symbol;

/** Somebody who has proved who they are. A store that reads a tenant's rows asks for one. */
export interface Actor {
  readonly userId: UserId;
  readonly role: UserRole;
  readonly sessionId: SessionId;
  readonly [minted]: true;
}

/** Only authentication may call this (features/accounts/authenticate.ts; a test looks for other callers). */
export function mintActor(proven: { userId: UserId; role: UserRole; sessionId: SessionId }): Actor {
  return Object.freeze({ ...proven }) as Actor;
}
