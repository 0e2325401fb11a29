import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type ContactId, useSendFollowUp } from './queries.ts';
import styles from './writing-form.module.css';

/** A mail to one contact, who is named; nobody else can be. */
export function FollowUpForm({ id, address, onClose }: { id: ContactId; address: string; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const send = useSendFollowUp();
  const [subject, setSubject] = useState('');
  const [body, setBody] = useState('');
  return (
    <form
      onInput={forgetRefusal(send)}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(
          { id, subject, body },
          {
            onSuccess: () => {
              showToast({ subject: `mail ${id}`, state: 'ok', message: t('contacts.followUp.sent', { address }) });
              onClose();
            },
          },
        );
      }}
    >
      <p className={styles.hint}>{t('contacts.followUp.hint', { address })}</p>
      <TextField
        label={t('contacts.followUp.subject')}
        required
        autoFocus
        maxLength={200}
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <TextArea
        label={t('contacts.followUp.text')}
        required
        minRows={5}
        maxLength={4_000}
        value={body}
        error={send.isError ? errorText(send.error) : null}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('contacts.cancel')}
        </Button>
        <ActionButton pending={send.isPending} pendingLabel={t('contacts.followUp.sending')}>
          {t('contacts.followUp.send')}
        </ActionButton>
      </div>
    </form>
  );
}
