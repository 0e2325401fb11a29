import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { newId } from '#kernel/new-id.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { nowMs } from '#ui/clock.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import type { HoldDialogProps } from '#ui/hold-desk.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './hold-dialog.module.css';
import { changesOf, draftOf, fieldsBefore, fieldsOf, type HoldDraft, newDraft } from './hold-draft.ts';
import { HoldFields } from './hold-fields.tsx';
import { HoldHistory } from './hold-history.tsx';
import { type Hold, type HoldEntry, useHold, useHoldCalls, useWritableCalendars } from './queries.ts';
import { useHoldWords } from './use-hold-words.ts';

const formId = 'made-hold';

/** Makes a hold, or shows one with all that can be changed of it. */
export function HoldDialog({ task, onClose }: HoldDialogProps) {
  const { t } = useTranslation();
  const zone = loadZone(usePreferences().zone) ?? utc;
  const asked = useHold(task.kind === 'edit' ? task.holdId : null);
  if (task.kind === 'new')
    return <HoldForm initial={newDraft(task, zone, nowMs())} hold={null} history={[]} onClose={onClose} />;
  if (asked.data !== undefined) {
    const { hold, history } = asked.data;
    // the version refuses a save over changes that were made elsewhere
    return <HoldForm initial={draftOf(hold, zone)} hold={hold} history={history} onClose={onClose} />;
  }
  return (
    <Dialog opened onClose={onClose} title={t('holds.editTitle')} size="sm">
      {asked.error ? (
        <ErrorState title={t('holds.loadFailed')} error={asked.error} onRetry={() => void asked.refetch()} />
      ) : (
        <SkeletonRows rows={5} label={t('holds.loading')} />
      )}
    </Dialog>
  );
}

interface HoldFormProps {
  initial: HoldDraft;
  /** Null: it is being made. */
  hold: Hold | null;
  history: readonly HoldEntry[];
  onClose: () => void;
}

function HoldForm({ initial, hold, history, onClose }: HoldFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const words = useHoldWords();
  const zone = loadZone(usePreferences().zone) ?? utc;
  const calendars = useWritableCalendars();
  const calls = useHoldCalls();
  const [draft, setDraft] = useState(initial);
  const [id] = useState(newId);
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState<'save' | 'remove' | null>(null);
  const calendarId = draft.calendarId || (calendars?.[0]?.id ?? '');
  const fields = fieldsOf(draft, zone);

  const run = async (kind: 'save' | 'remove', act: () => Promise<void>) => {
    if (pending !== null) return;
    setPending(kind);
    setError(undefined);
    try {
      await act();
      onClose();
    } catch (refusal) {
      setError(refusal);
      setPending(null);
    }
  };
  /** Says what was done, with the way back. */
  const tell = (message: string, back: () => Promise<unknown>) =>
    showToast({
      subject: 'hold',
      state: 'ok',
      message,
      staysMs: 10_000,
      action: {
        label: t('holds.undo'),
        run: () =>
          void back().catch((refusal: unknown) =>
            showToast({ subject: 'hold', state: 'bad', message: t('holds.notUndone', { reason: errorText(refusal) }) }),
          ),
      },
    });
  const save = () =>
    run('save', async () => {
      if (fields === null) return;
      if (hold === null) {
        const made = await calls.create({ ...fields, calendar_id: calendarId, hold_id: id as Hold['hold_id'] });
        tell(t('holds.told.made'), () => calls.remove(made));
        return;
      }
      const before = fieldsBefore(hold);
      const changed = await calls.change(hold, changesOf(before, fields));
      tell(t('holds.told.changed'), () => calls.change(changed, changesOf(fields, before)));
    });
  const remove = (removed: Hold) =>
    run('remove', async () => {
      await calls.remove(removed);
      tell(t('holds.told.removed'), () => calls.restore(removed));
    });

  return (
    <Dialog
      opened
      onClose={onClose}
      title={hold === null ? t('holds.newTitle') : t('holds.editTitle')}
      actions={
        <>
          {hold === null ? (
            <Button variant="default" onClick={onClose}>
              {t('ui.cancel')}
            </Button>
          ) : (
            <ActionButton
              type="button"
              variant="default"
              pending={pending === 'remove'}
              pendingLabel={t('holds.removing')}
              onClick={() => void remove(hold)}
            >
              {t('holds.remove')}
            </ActionButton>
          )}
          <ActionButton
            form={formId}
            disabled={fields === null || calendarId === ''}
            pending={pending === 'save'}
            pendingLabel={t('holds.saving')}
          >
            {hold === null ? t('holds.create') : t('holds.save')}
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {hold === null ? null : <HoldState hold={hold} />}
        {calendars?.length === 0 ? <p className={styles.error}>{t('holds.noCalendar')}</p> : null}
        <HoldFields
          draft={{ ...draft, calendarId }}
          calendars={calendars ?? []}
          isNew={hold === null}
          beforeWords={words.before}
          ranks={words.ranks}
          onChange={setDraft}
        />
        {error === undefined ? null : (
          <p className={styles.error} role="alert">
            {error instanceof ApiError && error.code === 'CHANGED_MEANWHILE' ? t('holds.stale') : errorText(error)}
          </p>
        )}
        {history.length === 0 ? null : <HoldHistory history={history} />}
      </form>
    </Dialog>
  );
}

/** Where it stands now, if that is not where it was put. */
function HoldState({ hold }: { hold: Hold }) {
  const { t } = useTranslation();
  const words = useHoldWords();
  const { start_time: startMs, end_time: endMs, home_start: homeMs, home_end: homeEndMs } = hold;
  if (startMs === null || endMs === null) return <p className={styles.state}>{t('holds.state.gaveWay')}</p>;
  const isHome = startMs === homeMs && endMs === homeEndMs;
  if (isHome && hold.rank_now === hold.rank) return null;
  return (
    <p className={styles.state}>
      {isHome ? t('holds.state.critical') : t('holds.state.elsewhere', { when: words.when(startMs, endMs) })}
    </p>
  );
}
