import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GivenRole, givenRoles } from '#features/teams/rules.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type TeamId, useInvite } from '../queries.ts';
import styles from '../teams.module.css';

/** Asks somebody to join, by mail. */
export function InviteDialog({ teamId, onClose }: { teamId: TeamId; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const invite = useInvite(teamId);
  const formId = useId();
  const group = useId();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<GivenRole>('editor');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === '') return;
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess: () => {
          showToast({ subject: 'invite', state: 'ok', message: t('teams.invite.sent', { email: email.trim() }) });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('teams.invite.title')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('teams.cancel')}
          </Button>
          <ActionButton form={formId} pending={invite.isPending} pendingLabel={t('teams.invite.pending')}>
            {t('teams.invite.submit')}
          </ActionButton>
        </>
      }
    >
      <form onInput={forgetRefusal(invite)} id={formId} className={styles.form} onSubmit={submit}>
        <TextField
          label={t('teams.invite.email')}
          description={t('teams.invite.hint')}
          type="email"
          required
          maxLength={400}
          autoComplete="off"
          data-autofocus
          value={email}
          error={invite.isError ? errorText(invite.error) : null}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <fieldset className={styles.choices}>
          <legend>{t('teams.invite.role')}</legend>
          {givenRoles.map((one) => (
            <label key={one} className={styles.choice}>
              <input type="radio" name={group} checked={role === one} onChange={() => setRole(one)} />
              <span>
                <span className={styles.choiceName}>{t(`teams.role.${one}`)}</span>
                <span className={styles.second}>{t(`teams.roleText.${one}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}
