import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { focusFlawedDate } from '#ui/dates/flawed-date.ts';
import { focusPageTitle } from '#ui/page-title.ts';
import { openRefusal } from '#ui/refusal.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { SaveRefused } from '#ui/save-refused.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type EventType, useChangeType } from './queries.ts';
import { SectionAfter } from './section-after.tsx';
import { SectionBasics } from './section-basics.tsx';
import { SectionCalendars } from './section-calendars.tsx';
import { SectionForm } from './section-form.tsx';
import { SectionPage } from './section-page.tsx';
import { SectionTimes } from './section-times.tsx';
import { draftOf, isSameDraft, type TypeDraft } from './type-draft.ts';
import styles from './type-editor.module.css';

const SectionHosts = lazy(async () => ({ default: (await import('./section-hosts.tsx')).SectionHosts }));

/** An event type as it is saved, and as it would be. Nothing changes before Save. */
export function TypeEditor({ type, base, onReload }: { type: EventType; base: string; onReload: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const save = useChangeType();
  const [draft, setDraft] = useState(() => draftOf(type));
  const dirty = !isSameDraft(draft, draftOf(type));
  // saving the choice as it is shown confirms it
  const mayBeSaved = dirty || type.lacks_calendars;
  useBlocker({
    shouldBlockFn: () => dirty && !window.confirm(t('booking.editor.leave')),
    enableBeforeUnload: dirty,
    disabled: !dirty,
  });

  const { error, errors } = openRefusal(save.error, save.variables?.body, tidy(draft));
  const onDraft = (patch: Partial<TypeDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const section = {
    settings: draft.settings,
    errors,
    onChange: (patch: Partial<TypeDraft['settings']>) =>
      setDraft((before) => ({ ...before, settings: { ...before.settings, ...patch } })),
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!mayBeSaved || focusFlawedDate(event.currentTarget)) return;
    save.mutate(
      { id: type.id, body: { version: type.version, ...tidy(draft) } },
      {
        onSuccess: (saved) => {
          queryClient.setQueryData(['booking', 'type', type.id], saved);
          showToast({ subject: `type ${type.id}`, state: 'ok', message: t('booking.editor.saved') });
          // the bar with its button goes
          focusPageTitle();
        },
      },
    );
  };
  return (
    <form className={styles.editor} onSubmit={submit} noValidate>
      <SaveRefused error={error} reload={t('booking.editor.reload')} onReload={onReload} />
      <SectionBasics {...section} teamId={type.team_id} draft={draft} base={base} onDraft={onDraft} />
      {type.team_id === null ? null : (
        <Suspense fallback={<SkeletonRows rows={3} label={t('booking.loading')} />}>
          <SectionHosts {...section} type={type} draft={draft} onDraft={onDraft} />
        </Suspense>
      )}
      <SectionTimes {...section} isTeam={type.team_id !== null} />
      <SectionForm {...section} kind={type.kind} />
      <SectionAfter {...section} />
      <SectionCalendars {...section} isTeam={type.team_id !== null} lacks={type.lacks_calendars} />
      <SectionPage {...section} draft={draft} onDraft={onDraft} />
      <SaveBar changed={mayBeSaved} status={dirty ? t('booking.editor.unsaved') : ''}>
        <Button
          type="button"
          variant="default"
          onClick={() => {
            setDraft(draftOf(type));
            save.reset();
          }}
        >
          {t('booking.editor.discard')}
        </Button>
        <ActionButton pending={save.isPending} pendingLabel={t('booking.saving')}>
          {t('booking.editor.save')}
        </ActionButton>
      </SaveBar>
    </form>
  );
}

/** Lists as people type them, without their empty lines. */
function tidy(draft: TypeDraft): TypeDraft {
  const lines = (list: readonly string[]) => list.map((line) => line.trim()).filter((line) => line !== '');
  const { frames, questions } = draft.settings;
  return {
    ...draft,
    settings: {
      ...draft.settings,
      frames: lines(frames),
      questions: questions.map(({ options, ...question }) =>
        options === undefined ? question : { ...question, options: lines(options) },
      ),
    },
  };
}
