import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { invitationsContract } from '#features/edits/invitations/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { fullTime } from '../event-time.ts';
import { timeLabels } from '../time-labels.ts';
import styles from './invitation-list.module.css';
import { QuickAnswer } from './quick-answer.tsx';

const api = createClient(invitationsContract);

/** New invitations come with a reading of a calendar, answers with the live update of edits. */
const pollMs = 60_000;

const invitationsQuery = queryOptions({
  queryKey: ['edits', 'invitations'],
  queryFn: async ({ signal }) => (await api.listInvitations({}, { signal })).invitations,
  refetchInterval: pollMs,
});

/** Invitations that wait for an answer, answered in place; nothing where none waits. */
export function InvitationList({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const invitations = useQuery(invitationsQuery).data ?? [];
  if (invitations.length === 0) return null;
  const zone = loadZone(preferences.zone) ?? utc;
  const labels = timeLabels(preferences);
  const timesOf = ({ start_time, end_time, start_date, end_date }: (typeof invitations)[number]['event']) =>
    fullTime(
      {
        startMs: Temporal.Instant.from(start_time).epochMilliseconds,
        endMs: Temporal.Instant.from(end_time).epochMilliseconds,
        allDay: start_date === null || end_date === null ? undefined : { firstDay: start_date, endDay: end_date },
      },
      zone,
      labels,
      t('calendar.allDay'),
    );
  return (
    <section className={styles.section} aria-labelledby="invitations">
      <h3 id="invitations" className={styles.title} tabIndex={-1}>
        {t('editor.invitations.title')} <span className={styles.count}>{invitations.length}</span>
      </h3>
      <ul className={styles.list}>
        {invitations.map(({ event, calendar_name: calendar, color, scope }) => {
          const title = event.title === '' ? t('calendar.untitled') : event.title;
          return (
            <li key={event.event_id} className={styles.row}>
              <div className={styles.words}>
                <Link
                  to="/calendar"
                  search={{ event: event.event_id }}
                  className={styles.link}
                  dir="auto"
                  onClick={onOpen}
                >
                  {title}
                </Link>
                <p className={styles.facts}>{timesOf(event)}</p>
                <p className={styles.facts}>
                  <ColorMark color={color} /> {calendar}
                  {scope === 'all' ? ` · ${t('editor.answer.all')}` : ''}
                </p>
              </div>
              <QuickAnswer eventId={event.event_id} title={title} answer={event.answer} scope={scope} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
