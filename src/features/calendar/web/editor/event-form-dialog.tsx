import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { focusFlawedDate } from '#ui/dates/flawed-date.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import type { CalendarRow } from '../grid-event.ts';
import { type Answer, AskDialog, isQuestion, type Question } from './ask-dialog.tsx';
import { ConflictLine, useFreeTimes } from './conflict-line.tsx';
import { DiscardGuard } from './discard-guard.tsx';
import { type DraftProblem, type EventDraft, isSameDraft, problemsOf, whenOf } from './event-draft.ts';
import { EventFields } from './event-fields.tsx';
import styles from './event-form.module.css';
import { GuestTimes, useGuestTimes } from './guests/guest-times.tsx';
import { refusedFields } from './refused-fields.ts';
import { useKeptDraft } from './use-kept-draft.ts';

export interface EventFormDialogProps {
  mode: 'create' | 'edit';
  initial: EventDraft;
  /** Typed already, in the popover; asked about like everything that was typed here. */
  typed?: EventDraft | undefined;
  calendars: readonly CalendarRow[];
  /** Name and version under which what is typed is kept. */
  draftName: string;
  version: string;
  repeatLocked?: string | undefined;
  /** The event itself is in nobody's way. */
  eventId: string | null;
  /** Returns the question to ask before the event is sent. */
  questionOf: (draft: EventDraft) => Question;
  onSend: (draft: EventDraft, answer: Answer) => Promise<void>;
  onClose: () => void;
}

/** The form of an event: Create Event, and the same for one that stands. */
export function EventFormDialog(props: EventFormDialogProps) {
  const { mode, initial, calendars, onSend, onClose } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(props.typed ?? initial);
  const [shown, setShown] = useState<readonly DraftProblem[]>([]);
  const [state, setState] = useState<'open' | 'asking' | 'sending' | 'leaving'>('open');
  const [error, setError] = useState<unknown>();
  const dirty = !isSameDraft(initial, draft);
  const kept = useKeptDraft(props.draftName, draft, dirty, props.version);
  const check = useFreeTimes(draft, props.eventId);
  const guestTimes = useGuestTimes(draft, props.eventId);
  // A conflict that was there before is no news.
  const inTheWay = (check.answer?.conflicts.length ?? 0) > 0 && (mode === 'create' || movesTime(initial, draft));

  const problems = problemsOf(draft).filter(
    // One that came without a title may stay so.
    (problem) => problem !== 'title' || mode === 'create' || initial.title.trim() !== '',
  );
  const lacksTitle = problems.includes('title');
  const refused = refusedFields(error);
  const isElsewhere = Object.keys(refused).length === 0;

  const close = () => {
    if (dirty && state !== 'sending') setState('leaving');
    else onClose();
  };
  const send = async (answer: Answer) => {
    setState('sending');
    setError(undefined);
    try {
      await onSend(draft, answer);
      kept.forget();
      onClose();
    } catch (refusal) {
      setState('open');
      setError(refusal);
    }
  };
  const submit = () => {
    if (state === 'sending') return;
    setShown(problems);
    if (problems.length > 0) {
      // Not before the words are there.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    if (form.current !== null && focusFlawedDate(form.current)) return;
    const question = props.questionOf(draft);
    if (isQuestion(question)) setState('asking');
    else void send({ scope: question.scopes[0] ?? 'all', tellGuests: false });
  };
  const change = (next: EventDraft) => {
    setDraft(next);
    setError(undefined);
    setShown((before) => before.filter((problem) => problemsOf(next).includes(problem)));
  };
  const create = mode === 'create';
  return (
    <>
      <Dialog
        opened
        onClose={close}
        title={create ? t('editor.createTitle') : t('editor.editTitle')}
        actions={
          <>
            <Button variant="default" onClick={close}>
              {t('ui.cancel')}
            </Button>
            <ActionButton
              form={formId}
              disabled={lacksTitle}
              pending={state === 'sending'}
              pendingLabel={create ? t('editor.creating') : t('editor.saving')}
            >
              {create
                ? t(inTheWay ? 'editor.createAnyway' : 'editor.create')
                : t(inTheWay ? 'editor.saveAnyway' : 'editor.save')}
            </ActionButton>
          </>
        }
      >
        <form
          id={formId}
          ref={form}
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {kept.offered === undefined || dirty ? null : (
            <p className={styles.draft} role="status">
              <span>{t('editor.draft.kept', { title: kept.offered.title || t('calendar.untitled') })}</span>
              <span>
                <button
                  type="button"
                  className={styles.link}
                  onClick={() => {
                    if (kept.offered) setDraft(kept.offered);
                    kept.takeUp();
                  }}
                >
                  {t('editor.draft.takeUp')}
                </button>{' '}
                ·{' '}
                <button type="button" className={styles.link} onClick={kept.forget}>
                  {t('editor.draft.forget')}
                </button>
              </span>
            </p>
          )}
          {error !== undefined && isElsewhere ? (
            <Banner state="bad" role="alert" title={create ? t('editor.createFailed') : t('editor.saveFailed')}>
              {errorText(error)}
              {error instanceof ApiError && error.requestId ? <code> {error.requestId}</code> : null}
            </Banner>
          ) : null}
          <EventFields
            draft={draft}
            onChange={change}
            calendars={calendars}
            problems={shown}
            refused={refused}
            repeatLocked={props.repeatLocked}
            conflicts={
              <ConflictLine
                draft={draft}
                check={check}
                offersTimes={(guestTimes.times?.free.length ?? 0) === 0}
                onChange={change}
              />
            }
            guestTimes={<GuestTimes draft={draft} asked={guestTimes} onChange={change} />}
            onTitleLeft={() => {
              if (lacksTitle && dirty) setShown((before) => [...new Set([...before, 'title' as const])]);
            }}
          />
        </form>
      </Dialog>
      {state === 'asking' ? (
        <AskDialog
          question={props.questionOf(draft)}
          onAnswer={(answer) => void send(answer)}
          onClose={() => setState('open')}
        />
      ) : null}
      <DiscardGuard
        dirty={dirty && state !== 'sending'}
        asked={state === 'leaving'}
        onStay={() => setState('open')}
        onDiscard={() => {
          kept.forget();
          onClose();
        }}
      />
    </>
  );
}

function movesTime(before: EventDraft, after: EventDraft): boolean {
  return JSON.stringify(whenOf(before)) !== JSON.stringify(whenOf(after));
}
