import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { Button, ButtonAnchor } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { CalendarRow } from '../grid-event.ts';
import { safeLink } from '../safe-link.ts';
import type { Answer } from './ask-dialog.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { useEditCalls } from './edit-calls.ts';
import type { EventDetails } from './edit-shapes.ts';
import { bodyOf, changesOf, draftOf, type EventDraft } from './event-draft.ts';
import styles from './event-form.module.css';
import { EventFormDialog } from './event-form-dialog.tsx';
import { isChangedMeanwhile } from './is-changed-meanwhile.ts';
import { eventTimesOf, previewChange } from './preview-edit.ts';
import { questionFor } from './question-for.ts';
import { useUndo } from './use-undo.ts';

/** The form of an event that stands, with what it is right now. */
export function EditEvent({
  eventId,
  zone,
  calendars,
  onClose,
}: {
  eventId: string;
  zone: Zone;
  calendars: readonly CalendarRow[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const calls = useEditCalls();
  const details = useQuery({
    queryKey: ['edits', 'event', eventId],
    queryFn: ({ signal }) => calls.read(eventId, signal),
    // The form keeps its version while it is open; a newer version becomes a conflict when the edit is sent.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnMount: false,
  });
  const [first, setFirst] = useState<EventDetails>();
  if (first === undefined && details.data !== undefined) setFirst(details.data);

  if (first === undefined) {
    return (
      <Dialog opened onClose={onClose} title={t('editor.editTitle')}>
        {details.isError ? (
          <ErrorState title={t('editor.openFailed')} error={details.error} onRetry={() => void details.refetch()} />
        ) : (
          <div className={styles.skeleton} role="status" aria-label={t('editor.opening')}>
            {['38', '36', '36', '96'].map((height, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: bars of a skeleton never change places
              <Skeleton key={index} height={Number(height)} />
            ))}
          </div>
        )}
      </Dialog>
    );
  }
  if (!first.editable) return <NotEditable details={first} calendars={calendars} onClose={onClose} />;
  return <EditForm details={first} zone={zone} calendars={calendars} onClose={onClose} />;
}

function EditForm({
  details,
  zone,
  calendars,
  onClose,
}: {
  details: EventDetails;
  zone: Zone;
  calendars: readonly CalendarRow[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const calls = useEditCalls();
  const { tell } = useUndo();
  const [initial] = useState(() => draftOf(details, zone.id));
  const [clash, setClash] = useState<Clash>();

  const settle = (mine: EventDetails, theirs: EventDetails) => {
    const { promise, resolve } = Promise.withResolvers<'mine' | 'theirs' | null>();
    setClash({ mine, theirs, choose: resolve });
    return promise.finally(() => setClash(undefined));
  };
  const onSend = async (draft: EventDraft, { scope, tellGuests }: Answer) => {
    const changes = changesOf(initial, draft);
    if (Object.keys(changes).length === 0) return;
    const known = calls.rowsOf(details.event_id);
    const times = changes.when === undefined ? undefined : eventTimesOf(draft);
    const preview =
      known === undefined
        ? { replaces: [], events: [] }
        : previewChange(known.rows, known.target, scope, { times, changes });
    const sent = { kind: 'change' as const, calendarId: draft.calendarId, title: draft.title.trim(), preview };
    let { version } = details;
    for (;;) {
      try {
        tell(await calls.change({ eventId: details.event_id, scope, version, tellGuests }, changes, sent), 'changed');
        return;
      } catch (error) {
        if (!isChangedMeanwhile(error)) throw error;
        const theirs = await calls.read(details.event_id);
        const chosen = await settle({ ...theirs, ...changes } as EventDetails, theirs);
        if (chosen === null) throw error;
        if (chosen === 'theirs') return;
        version = theirs.version;
      }
    }
  };
  return (
    <>
      <EventFormDialog
        mode="edit"
        initial={initial}
        calendars={calendars}
        draftName={`event:${details.event_id}`}
        version={details.version}
        eventId={details.event_id}
        repeatLocked={details.series?.complex ? t('editor.repeats.complex') : undefined}
        questionOf={(draft) =>
          questionFor('change', details, calendars, { guests: draft.guests.length, changes: changesOf(initial, draft) })
        }
        onSend={onSend}
        onClose={onClose}
      />
      {clash === undefined ? null : (
        <ConflictDialog
          title={bodyOf(initial).title}
          mine={clash.mine}
          theirs={clash.theirs}
          pending={null}
          onKeep={clash.choose}
          onClose={() => clash.choose(null)}
        />
      )}
    </>
  );
}

interface Clash {
  mine: EventDetails;
  theirs: EventDetails;
  choose: (whose: 'mine' | 'theirs' | null) => void;
}

/** Why not, and where it can be. */
function NotEditable({
  details,
  calendars,
  onClose,
}: {
  details: EventDetails;
  calendars: readonly CalendarRow[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const link = safeLink(details.open_url ?? undefined);
  const provider = calendars.find((calendar) => calendar.id === details.calendar_id)?.provider ?? '';
  return (
    <Dialog
      opened
      onClose={onClose}
      title={details.title === '' ? t('calendar.untitled') : details.title}
      size="sm"
      actions={
        <>
          {link === undefined ? null : (
            <ButtonAnchor variant="default" href={link.href} target="_blank" rel="noreferrer noopener">
              {t('editor.openIn', { provider: providerName(provider) })}
            </ButtonAnchor>
          )}
          <Button data-autofocus onClick={onClose}>
            {t('calendar.close')}
          </Button>
        </>
      }
    >
      <p>{t(`calendar.notEditable.${details.not_editable_reason ?? 'unreadable'}`)}</p>
    </Dialog>
  );
}
