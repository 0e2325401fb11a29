import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { handlePattern, longestHandle, shortestHandle } from '#features/booking/rules/handle.ts';
import { AddressField } from '#ui/address-field.tsx';
import { useRested } from '#ui/use-rested.ts';
import { checkHandle, type TeamId } from './queries.ts';

export const isHandle = (name: string) =>
  name.length >= shortestHandle && name.length <= longestHandle && handlePattern.test(name);

export interface HandleFieldProps {
  base: string;
  /** Null: of a team that is not made yet. */
  teamId: TeamId | null;
  /** The one in use. */
  current: string | null;
  value: string;
  /** Why the server refused this value. */
  refusal: string | null;
  onChange: (value: string) => void;
}

/** The address of a team, and whether it can have it, while it is typed. */
export function HandleField({ base, teamId, current, value, refusal, onChange }: HandleFieldProps) {
  const { t } = useTranslation();
  const rested = useRested(value);
  const check = useQuery({
    queryKey: ['handle-check', teamId, rested],
    queryFn: ({ signal }) => checkHandle(rested, teamId, signal),
    enabled: isHandle(value) && rested === value && value !== current,
    staleTime: 10_000,
  });
  const answer = rested === value ? check.data?.state : undefined;
  // a person's own name is not free for a team of theirs
  const state = answer === 'own' && teamId === null ? 'taken' : answer;
  const problem =
    value !== '' && !isHandle(value)
      ? t('booking.handle.form')
      : state === 'taken' || state === 'reserved'
        ? t(`booking.handle.${state}`)
        : null;
  return (
    <AddressField
      label={t('teams.address.label')}
      base={base}
      value={value}
      longest={longestHandle}
      problem={refusal ?? problem}
      note={problem === null && (state === 'free' || state === 'own') ? t('booking.handle.free') : ''}
      onChange={onChange}
    />
  );
}
