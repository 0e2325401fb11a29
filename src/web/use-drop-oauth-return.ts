import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The address keeps them long enough for a script to see them, and no longer. */
const clearMs = 100;

/** Takes the outcome of an OAuth return out of the address, except on the screen that tells it and clears it then. */
export function useDropOAuthReturn(): void {
  const navigate = useNavigate();
  // where they are left over; null: nowhere
  const leftAt = useLocation({
    select: ({ pathname, searchStr }) =>
      pathname !== '/integrations' && new URLSearchParams(searchStr).has('connected') ? pathname : null,
  });
  useEffect(() => {
    if (leftAt === null) return;
    const timer = setTimeout(
      () =>
        void navigate({
          to: leftAt,
          search: ({ connected: _connected, status: _status, ...kept }: Record<string, unknown>) => kept,
          replace: true,
          resetScroll: false,
        } as never),
      clearMs,
    );
    return () => clearTimeout(timer);
  }, [leftAt, navigate]);
}
