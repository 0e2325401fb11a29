import { useQueryClient } from '@tanstack/react-query';

/** Reloads all of Security: a change of a sign-in method is in the log, and may have ended sessions. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['access'] });
}
