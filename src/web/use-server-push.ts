import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { setLive } from '#ui/live-connection.ts';
import { compareBuild } from './new-build.ts';
import { sessionQuery } from './session.ts';

const synced = ['connections', 'availability', 'calendar', 'edits', 'sync', 'meetings', 'analytics'];
/** Query prefixes to refetch when the server announces a topic: the features whose answers may have changed. */
const staleAfter: Record<string, readonly string[]> = {
  accounts: [...synced, 'help'],
  mirrors: synced,
  availability: ['availability', 'calendar', 'analytics', 'help'],
  calendar: ['calendar', 'availability', 'connections', 'meetings', 'analytics'],
  edits: ['edits'],
  // identity and display settings: the server formats some times with them
  profile: ['accounts', 'meetings', 'inbox'],
  holds: ['holds'],
  inbox: ['inbox'],
  'event-types': ['booking', 'analytics', 'help'],
  bookings: ['meetings', 'inbox', 'booking', 'holds', 'routing', 'analytics'],
  workflows: ['workflows'],
  'workflow-runs': ['workflows'],
  export: ['takeout'],
  search: ['search'],
  channels: ['channels'],
  teams: ['teams'],
  billing: ['billing', 'teams'],
  contacts: ['contacts'],
  routing: ['routing'],
  audit: ['audit', 'people'],
  console: ['admin'],
};
/** After a break, and for what a newer server says. */
const everything = [
  ...synced,
  'admin',
  'audit',
  'people',
  'accounts',
  'access',
  'billing',
  'takeout',
  'inbox',
  'search',
  'booking',
  'channels',
  'teams',
  'contacts',
  'holds',
  'routing',
  'workflows',
  'help',
];

const GATHER_MS = 400;

/** Keeps every open screen current: the server says that something changed, the queries on screen ask again. */
export function useServerPush(): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const stream = new EventSource('/api/stream');
    const waiting = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;

    // An initial mirror announces hundreds of changes; they are answered together.
    const flush = () => {
      timer = undefined;
      for (const feature of waiting) void queryClient.invalidateQueries({ queryKey: [feature] });
      waiting.clear();
    };
    stream.onopen = () => setLive(true);
    stream.onerror = () => setLive(false);
    stream.addEventListener('build', (message) => compareBuild(JSON.parse(message.data) as string));
    stream.onmessage = (message: MessageEvent<string>) => {
      const { topic } = JSON.parse(message.data) as { topic: string };
      if (topic === 'session.ended') {
        // asked, not assumed: this browser may be signed in again by now
        const answer = queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
        // a sign-out in this window cancels the query before its answer
        void answer.then(
          () => router.invalidate(),
          () => undefined,
        );
        return;
      }
      const features = staleAfter[topic] ?? everything;
      for (const feature of features) waiting.add(feature);
      timer ??= setTimeout(flush, GATHER_MS);
    };
    return () => {
      clearTimeout(timer);
      stream.close();
      setLive(false);
    };
  }, [queryClient, router]);
}
