import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/text-field.tsx';
import form from './guest-form.module.css';
import { usePasskeyText } from './passkey-text.ts';
import { Refusal } from './refusal.tsx';

export interface PasskeyNameDialogProps {
  title: string;
  text?: string;
  action: string;
  pendingLabel: string;
  initial: string;
  mutation: {
    isPending: boolean;
    error: Error | null;
    mutate: (name: string, options: { onSuccess: () => void }) => void;
  };
  onClose: () => void;
  onNamed?: (name: string) => void;
}

/** What a passkey is called: when it is made, and afterwards. */
export function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { title, text, action, pendingLabel, initial, mutation, onClose, onNamed } = props;
  const { t } = useTranslation();
  const passkeyText = usePasskeyText();
  const [name, setName] = useState(initial);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mutation.isPending) return;
    mutation.mutate(name, {
      onSuccess: () => {
        onNamed?.(name);
        onClose();
      },
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <ActionButton form={id} pending={mutation.isPending} pendingLabel={pendingLabel}>
            {action}
          </ActionButton>
        </>
      }
    >
      <form id={id} className={form.form} onSubmit={submit}>
        {mutation.error ? <Refusal>{passkeyText(mutation.error)}</Refusal> : null}
        {text === undefined ? null : <p>{text}</p>}
        <TextField
          data-autofocus
          label={t('security.passkeys.name')}
          description={t('security.passkeys.nameHelp')}
          maxLength={60}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
