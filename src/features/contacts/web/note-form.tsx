import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { type ContactId, useAddNote } from './queries.ts';
import styles from './writing-form.module.css';

export function NoteForm({ id, onClose }: { id: ContactId; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const add = useAddNote();
  const [body, setBody] = useState('');
  return (
    <form
      onInput={forgetRefusal(add)}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (body.trim() !== '') add.mutate({ id, body }, { onSuccess: onClose });
      }}
    >
      <TextArea
        label={t('contacts.note.label')}
        required
        autoFocus
        maxLength={4_000}
        value={body}
        error={add.isError ? errorText(add.error) : null}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('contacts.cancel')}
        </Button>
        <ActionButton pending={add.isPending} pendingLabel={t('contacts.form.saving')}>
          {t('contacts.note.save')}
        </ActionButton>
      </div>
    </form>
  );
}
