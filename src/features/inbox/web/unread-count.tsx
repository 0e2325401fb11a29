import { useEffect } from 'react';
import { useNotices } from './queries.ts';

/** Shows nothing; tells how many notices are unread for as long as it is there. */
export function UnreadCount({ onCount }: { onCount: (unread: number) => void }) {
  const unread = useNotices().data?.unread ?? 0;
  useEffect(() => {
    onCount(unread);
    return () => onCount(0);
  }, [unread, onCount]);
  return null;
}
