import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import form from './frame/guest-form.module.css';
import { useChangeEmail } from './security-queries.ts';

/** Has a link mailed to the new address; nothing changes before it is opened. */
export function ChangeEmailDialog({ current, onClose }: { current: string; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeEmail();
  const [email, setEmail] = useState('');
  const atField = change.error instanceof ApiError ? change.error.fields.email : undefined;
  if (change.data) {
    const { mailAt } = change.data;
    return (
      <Dialog
        opened
        onClose={onClose}
        title={t('security.email.sentTitle')}
        size="sm"
        actions={<Button onClick={onClose}>{t('security.done')}</Button>}
      >
        <div className={form.stack} role="status">
          <p>{t('security.email.sent', { email, current })}</p>
          {mailAt === null ? null : (
            <p>
              <a href={mailAt}>{t('security.email.readHere')}</a>
            </p>
          )}
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('security.email.title')}
      action={t('security.email.action')}
      pending={change.isPending}
      pendingLabel={t('security.email.pending')}
      refused={change.error && atField === undefined ? errorText(change.error) : null}
      onSubmit={() => change.mutate(email)}
      onInput={forgetRefusal(change)}
      onClose={onClose}
    >
      <p>{t('security.email.about', { current })}</p>
      <TextField
        data-autofocus
        label={t('security.email.new')}
        type="email"
        autoComplete="email"
        required
        withAsterisk={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={atField}
      />
    </FormDialog>
  );
}
