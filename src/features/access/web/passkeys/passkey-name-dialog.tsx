import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { FormDialog } from '../form-dialog.tsx';
import { usePasskeyText } from './passkey-text.ts';

export interface PasskeyNameDialogProps {
  title: string;
  text?: string;
  action: string;
  pendingLabel: string;
  initial: string;
  mutation: {
    isPending: boolean;
    isError: boolean;
    error: Error | null;
    reset: () => void;
    mutate: (name: string, options: { onSuccess: () => void }) => void;
  };
  onClose: () => void;
  onNamed?: (name: string) => void;
}

/** The name of a passkey: when it is added, and afterwards. */
export function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { title, text, action, pendingLabel, initial, mutation, onClose, onNamed } = props;
  const { t } = useTranslation();
  const passkeyText = usePasskeyText();
  const [name, setName] = useState(initial);
  const submit = () =>
    mutation.mutate(name, {
      onSuccess: () => {
        onNamed?.(name);
        onClose();
      },
    });
  return (
    <FormDialog
      title={title}
      action={action}
      pending={mutation.isPending}
      pendingLabel={pendingLabel}
      refused={mutation.error && passkeyText(mutation.error)}
      onSubmit={submit}
      onInput={forgetRefusal(mutation)}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
