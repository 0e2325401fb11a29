import type { QueryClient } from '@tanstack/react-query';
import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { leaveApp } from '#ui/leave-app.ts';
import { sessionQuery } from './session.ts';

/** Where a signed-in person starts. */
export const HOME = '/dashboard';

export interface GuardInput {
  context: { queryClient: QueryClient };
  location: ParsedLocation;
}

const sessionOf = ({ context }: GuardInput) => context.queryClient.ensureQueryData(sessionQuery);

/** To a page at which people come in, which is the server's and remembers what was wanted. */
const comeInAt = (door: '/login' | '/admin/login', { location }: GuardInput) =>
  leaveApp(`${door}?${new URLSearchParams({ from: location.href }).toString()}`);

export async function requireUser(input: GuardInput): Promise<void> {
  if (!(await sessionOf(input))) await comeInAt('/login', input);
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
