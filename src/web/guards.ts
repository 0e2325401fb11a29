import type { QueryClient } from '@tanstack/react-query';
import { notFound, type ParsedLocation, redirect } from '@tanstack/react-router';
import { isLeavingApp, leaveApp } from '#ui/leave-app.ts';
import { sessionQuery } from './session.ts';

/** Where a signed-in person starts. */
export const HOME = '/dashboard';

export interface GuardInput {
  context: { queryClient: QueryClient };
  location: ParsedLocation;
}

const sessionOf = ({ context }: GuardInput) => context.queryClient.ensureQueryData(sessionQuery);

/**
 * To a page at which people come in, which is the server's and remembers what was wanted: not of somebody who is just
 * signing out, as the next one would be led there.
 */
const comeInAt = (door: '/login' | '/admin/login', { location }: GuardInput): Promise<never> =>
  isLeavingApp()
    ? new Promise(() => {})
    : leaveApp(`${door}?${new URLSearchParams({ from: location.href }).toString()}`);

export async function requireUser(input: GuardInput): Promise<void> {
  if (!(await sessionOf(input))) await comeInAt('/login', input);
}

/** Nothing is there: strangers have mistyped somebody's address, and no sign-in leads them to it. */
export async function hideFromStrangers(input: GuardInput): Promise<void> {
  if (!(await sessionOf(input))) notFound({ throw: true });
}

/** Strangers come in by the administrators' door; who is signed in without the rights goes where they have some. */
export async function requireAdmin(input: GuardInput): Promise<void> {
  const user = await sessionOf(input);
  if (!user) await comeInAt('/admin/login', input);
  if (user?.role !== 'admin') redirect({ to: HOME, replace: true, throw: true });
}

/** Setting up a second factor: on the way in, with the challenge that a sign-in gave, or signed in. */
export async function requireChallengeOrUser(input: GuardInput): Promise<void> {
  if (input.location.state.challenge === undefined) await requireUser(input);
}

/** Strangers see the landing page, which is the server's. */
export async function goHome(input: GuardInput): Promise<void> {
  if (await sessionOf(input)) redirect({ to: HOME, replace: true, throw: true });
  await leaveApp('/home');
}
