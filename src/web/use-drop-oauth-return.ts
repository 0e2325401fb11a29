import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The address keeps them long enough for a script to see them, and no longer. */
const clearMs = 100;

/** Takes the outcome of an OAuth return out of the address, except on the screen that tells it and clears it then. */
export function useDropOAuthReturn(): void {
  const navigate = useNavigate();
  const isLeft = useLocation({
    select: ({ pathname, searchStr }) =>
      pathname !== '/integrations' && new URLSearchParams(searchStr).has('connected'),
  });
  useEffect(() => {
    if (!isLeft) return;
    const timer = setTimeout(
      () =>
        void navigate({
          to: '.',
          search: ({ connected: _connected, status: _status, ...kept }: Record<string, unknown>) => kept,
          replace: true,
          resetScroll: false,
        } as never),
      clearMs,
    );
    return () => clearTimeout(timer);
  }, [isLeft, navigate]);
}
