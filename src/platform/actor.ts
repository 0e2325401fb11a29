import type { SessionId, UserId } from '#kernel/ids.ts';

export type UserRole = 'user' | 'admin';

/** `mfa-needed`: an administrator whose session lacks the second factor that the operator demands. */
export type AdminAccess = 'none' | 'mfa-needed' | 'granted';

declare const minted: unique symbol;

/** A person with a proved identity. A store that reads a tenant's rows requires one. */
export interface Actor {
  readonly userId: UserId;
  readonly role: UserRole;
  readonly sessionId: SessionId;
  /** Whether what is for administrators is open to them. */
  readonly adminAccess: AdminAccess;
  /** Whether a second factor was part of how they proved it. */
  readonly secondFactor: boolean;
  /** Whether they proved it within the last minutes; sensitive acts ask for that. */
  readonly provedRecently: boolean;
  /** The administrator who acts in this person's place, and the latest end; null for the person. */
  readonly impersonation: { readonly by: UserId; readonly from: SessionId; readonly endsMs: number } | null;
  /** Scopes of an API key. Sessions have none and may do everything. */
  readonly scopes?: readonly string[];
  readonly [minted]: true;
}

/** Only authentication may call this (features/accounts/sessions/authentication.ts; a test looks for other callers). */
export function mintActor(proven: Omit<Actor, typeof minted>): Actor {
  return Object.freeze({ ...proven }) as Actor;
}
