import { IconCalendarEvent, IconMail, IconNote, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { useErrorText } from '#ui/error-state.tsx';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './history.module.css';
import { type Note, type Profile, useDeleteNote, usePastMeetings, useRestoreNote } from './queries.ts';

interface Entry {
  key: string;
  atMs: number;
  show: ReactNode;
}

/** Bookings to come, meetings that are over, notes and mails: the latest first. */
export function History({ profile }: { profile: Profile }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const { contact } = profile;
  const past = usePastMeetings(contact.id);
  const remove = useDeleteNote();
  const restore = useRestoreNote();
  const meetings = past.data?.pages.flatMap((page) => page.meetings) ?? [];
  const lastMs = meetings.at(-1) && past.hasNextPage ? msOfInstant(meetings.at(-1)?.start_time ?? '') : 0;

  const removeNote = (note: Note) => {
    const subject = `note ${note.id}`;
    const onError = (error: Error) => showToast({ subject, state: 'bad', message: errorText(error) });
    const wish = { id: contact.id, note };
    remove.mutate(wish, {
      onSuccess: () =>
        showToast({
          subject,
          state: 'ok',
          message: t('contacts.note.removed'),
          action: { label: t('contacts.undo'), run: () => restore.mutate(wish, { onError }) },
          staysMs: 10_000,
        }),
      onError,
    });
  };

  const entries: Entry[] = [
    ...[...profile.bookings_ahead, ...meetings].map((meeting) => {
      const atMs = msOfInstant(meeting.start_time);
      const day = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(preferences.zone).toPlainDate();
      const title = meeting.title ?? t('contacts.history.untitled');
      return {
        key: `${meeting.start_time} ${meeting.event_id ?? title}`,
        atMs,
        show: (
          <>
            <IconCalendarEvent size={16} aria-hidden />
            <span className={styles.body}>
              {meeting.event_id === null ? (
                title
              ) : (
                <Link to="/calendar" search={{ day: day.toString(), event: meeting.event_id }}>
                  {title}
                </Link>
              )}
            </span>
          </>
        ),
      };
    }),
    ...profile.notes.map((note) => ({
      key: note.id,
      atMs: msOfInstant(note.at),
      show: (
        <>
          <IconNote size={16} aria-hidden />
          <span className={styles.body}>{note.body}</span>
          <IconButton size={28} label={t('contacts.note.remove')} onClick={() => removeNote(note)}>
            <IconTrash size={15} aria-hidden />
          </IconButton>
        </>
      ),
    })),
    ...profile.follow_ups.map((mail) => ({
      key: mail.id,
      atMs: msOfInstant(mail.at),
      show: (
        <>
          <IconMail size={16} aria-hidden />
          <details className={styles.body}>
            <summary>{t('contacts.history.mail', { subject: mail.subject })}</summary>
            {mail.body}
          </details>
        </>
      ),
    })),
  ]
    // entries older than the loaded meetings appear together with the next page of meetings
    .filter(({ atMs }) => atMs >= lastMs)
    .sort((one, other) => other.atMs - one.atMs);

  return (
    <section className={styles.history} aria-label={t('contacts.history.title')}>
      <h4>{t('contacts.history.title')}</h4>
      {entries.length === 0 ? (
        <p className={styles.none}>
          {past.isPending ? t('contacts.loading') : past.isError ? errorText(past.error) : t('contacts.history.none')}
        </p>
      ) : (
        <ul>
          {entries.map(({ key, atMs, show }) => (
            <li key={key}>
              {show}
              <span className={styles.when}>
                {formatDay(atMs, preferences, nowMs)}, {formatTime(atMs, preferences)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {past.hasNextPage ? (
        <Button
          variant="default"
          size="xs"
          disabled={past.isFetchingNextPage}
          onClick={() => void past.fetchNextPage()}
        >
          {t('contacts.history.older')}
        </Button>
      ) : null}
    </section>
  );
}
