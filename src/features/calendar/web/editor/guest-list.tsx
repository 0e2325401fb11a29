import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { State } from '#ui/state.ts';
import { useEditCalls } from './edit-calls.ts';
import type { EventDetails } from './edit-shapes.ts';
import styles from './guest-list.module.css';

type Response = NonNullable<EventDetails['attendees'][number]['response']>;

const stateOf: Record<Response, State> = {
  accepted: 'ok',
  declined: 'bad',
  tentative: 'warn',
  'needs-action': 'idle',
};

/** The guests of an event, with their responses. */
export function GuestList({ eventId }: { eventId: string }) {
  const { t } = useTranslation();
  const calls = useEditCalls();
  const { data, isError } = useQuery({
    queryKey: ['edits', 'guests', eventId],
    queryFn: ({ signal }) => calls.read(eventId, signal),
  });
  if (isError) return <p className={styles.quiet}>{t('editor.guestsFailed')}</p>;
  if (data === undefined) return <Skeleton width="70%" height={16} />;
  return (
    <ul className={styles.list}>
      {data.attendees.map(({ email, name, response }) => (
        <li key={email} className={styles.guest}>
          <span className={styles.name} title={email}>
            {name ?? email}
          </span>
          {response === null ? null : (
            <StateBadge state={stateOf[response]}>{t(`editor.response.${response}`)}</StateBadge>
          )}
        </li>
      ))}
    </ul>
  );
}
