import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { handlePattern, longestHandle, shortestHandle } from '#features/booking/rules/handle.ts';
import { useRested } from '#ui/use-rested.ts';
import { checkHandle } from '../queries.ts';

/** Whether a typed name can be the first part of the person's addresses, and what is wrong with it. */
export function useOwnName(name: string, present: string | null) {
  const { t } = useTranslation();
  const rested = useRested(name);
  const isName = name.length >= shortestHandle && name.length <= longestHandle && handlePattern.test(name);
  const check = useQuery({
    queryKey: ['booking', 'handle-check', rested],
    queryFn: ({ signal }) => checkHandle(rested, signal),
    enabled: isName && rested === name && name !== present,
    staleTime: 10_000,
  });
  const state = rested === name ? check.data?.state : undefined;
  const problem =
    name !== '' && !isName
      ? t('booking.handle.form')
      : state === 'taken' || state === 'reserved'
        ? t(`booking.handle.${state}`)
        : null;
  const note = problem === null && (state === 'free' || state === 'own') ? t('booking.handle.free') : '';
  return { canBeTaken: isName && problem === null, problem, note };
}
