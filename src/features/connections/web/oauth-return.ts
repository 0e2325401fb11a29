import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** How coming back from Google or Microsoft went. */
export interface OAuthReturn {
  provider: string | null;
  succeeded: boolean;
}

/** The address keeps its parameters long enough for a reader of logs or a script to see them, and no longer. */
const CLEAR_MS = 100;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 600) : null);

/** Takes the outcome out of the address; reloading the page does not tell it again. */
export function useOAuthReturn(): OAuthReturn | null {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const [outcome] = useState<OAuthReturn | null>(() => {
    const status = text(search.status);
    if (status !== 'success' && status !== 'error') return null;
    return { provider: text(search.connected), succeeded: status === 'success' };
  });
  const isInAddress = 'status' in search || 'connected' in search;
  useEffect(() => {
    if (!isInAddress) return;
    const timer = setTimeout(() => void navigate({ to: '/integrations', search: {}, replace: true }), CLEAR_MS);
    return () => clearTimeout(timer);
  }, [isInAddress, navigate]);
  return outcome;
}
