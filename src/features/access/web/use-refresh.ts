import { useQueryClient } from '@tanstack/react-query';

/** Whatever was done to a way in is on the trail, and may have ended sessions: all of Security is asked for anew. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['access'] });
}
