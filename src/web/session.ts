import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { sessionEndpoints } from '#features/accounts/rules/session-endpoints.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { beginLeaving } from '#ui/leave-app.ts';
import { speakAs } from './i18n.ts';

const api = createClient(sessionEndpoints);

export type SessionUser = Output<typeof sessionEndpoints.readAccountProfile>;

/** Beside the first picture: nobody types before it. */
const loadDrafts = () => import('#ui/local-drafts.ts');

/** Throws away what this browser keeps for times without a connection. */
export const forgetSeen = async () => (await import('./offline-copy.ts')).forgetSeen();

/** The signed-in person; null for nobody. A failure is an error to show, not a signed-out person. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<SessionUser | null> => {
    const { user } = await api.readSession({}, { signal });
    if (user === null) void forgetSeen();
    else await speakAs(user);
    return user;
  },
  staleTime: 5 * 60_000,
});

/** Ends the session on the server and forgets everything that was shown or typed; the caller leaves the app then. */
export async function signOut(queryClient: QueryClient): Promise<void> {
  const { forgetDrafts } = await loadDrafts();
  // the news that the session has ended may come before the answer
  const stay = beginLeaving();
  try {
    await api.logout();
  } catch (error) {
    stay();
    throw error;
  }
  forgetDrafts();
  await forgetSeen();
  queryClient.clear();
}
