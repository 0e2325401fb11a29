import type { QueryClient } from '@tanstack/react-query';
import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { fetchSignInMethods } from '#features/access/web/screens.ts';
import { ownPath } from '#kernel/own-path.ts';
import { sessionQuery } from './session.ts';

/** Where a signed-in person starts. */
export const HOME = '/dashboard';
const ADMIN_HOME = '/admin';
const ADMIN_SIGN_IN = '/admin/login';

export interface GuardInput {
  context: { queryClient: QueryClient };
  location: ParsedLocation;
}

const sessionOf = ({ context }: GuardInput) => context.queryClient.ensureQueryData(sessionQuery);

/** Where a person goes who is signed in and was asked for more than once: their wish, if it is a page of this site. */
export function wishOf(search: unknown, otherwise: string = HOME): string {
  return ownPath((search as { from?: unknown }).from) ?? otherwise;
}

export async function requireUser(input: GuardInput): Promise<void> {
  if (!(await sessionOf(input))) {
    redirect({ to: '/login', search: { from: input.location.href }, replace: true, throw: true });
  }
}

/** Strangers come in by the administrators' door; who is signed in without the rights goes where they have some. */
export async function requireAdmin(input: GuardInput): Promise<void> {
  const user = await sessionOf(input);
  if (!user) redirect({ to: ADMIN_SIGN_IN, search: { from: input.location.href }, replace: true, throw: true });
  if (user?.role !== 'admin') redirect({ to: '/login', replace: true, throw: true });
}

/** At the administrators' door an ordinary person who is signed in may still come in as an administrator. */
export async function requireGuest(input: GuardInput): Promise<void> {
  const atAdminDoor = input.location.pathname === ADMIN_SIGN_IN;
  const buttons = atAdminDoor ? null : fetchSignInMethods(input.context.queryClient);
  const [user] = await Promise.all([sessionOf(input), buttons]);
  if (!user || (atAdminDoor && user.role !== 'admin')) return;
  redirect({ href: wishOf(input.location.search, atAdminDoor ? ADMIN_HOME : HOME), replace: true, throw: true });
}

/** Between the password and the second factor: with the challenge that a sign-in gave, and without one not at all. */
export async function requireChallenge(input: GuardInput): Promise<void> {
  if (input.location.state.challenge !== undefined) return;
  if (await sessionOf(input)) redirect({ href: wishOf(input.location.search), replace: true, throw: true });
  redirect({ to: '/login', search: input.location.search, replace: true, throw: true });
}

/** Setting up a second factor: on the way in, or signed in. */
export async function requireChallengeOrUser(input: GuardInput): Promise<void> {
  if (!(await sessionOf(input))) await requireChallenge(input);
}

/** Strangers see the landing page, which is the server's. */
export async function goHome(input: GuardInput): Promise<void> {
  if (await sessionOf(input)) redirect({ to: HOME, replace: true, throw: true });
  location.replace('/home');
  await new Promise(() => {});
}
