import type { QueryClient } from '@tanstack/react-query';
import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { sessionQuery } from './session.ts';

/** Where a signed-in person starts. */
export const HOME = '/calendar';

export interface GuardInput {
  context: { queryClient: QueryClient };
  location: ParsedLocation;
}

/** Only this site's own paths are followed after signing in. */
export function safeOrigin(from: unknown): string {
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : HOME;
}

export async function requireUser({ context, location }: GuardInput): Promise<void> {
  const user = await context.queryClient.ensureQueryData(sessionQuery);
  if (!user) redirect({ to: '/login', search: { from: location.href }, replace: true, throw: true });
}

export async function requireGuest({ context, location }: GuardInput): Promise<void> {
  const user = await context.queryClient.ensureQueryData(sessionQuery);
  if (user)
    redirect({ href: safeOrigin((location.search as Record<string, unknown>).from), replace: true, throw: true });
}

export async function goHome({ context }: GuardInput): Promise<void> {
  const user = await context.queryClient.ensureQueryData(sessionQuery);
  redirect({ to: user ? HOME : '/login', replace: true, throw: true });
}
