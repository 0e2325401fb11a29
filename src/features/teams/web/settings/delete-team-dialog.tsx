import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { restorableDays } from '#features/teams/rules.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { type Team, useDeleteTeam } from '../queries.ts';
import styles from '../teams.module.css';

/** Deletion of a team. All members lose it at once, so its name must be typed. */
export function DeleteTeamDialog({ team, opened, onClose }: { team: Team; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const remove = useDeleteTeam();
  const formId = useId();
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === team.name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRight) return;
    void remove.mutateAsync({ teamId: team.id, name: typed }).then(
      () => {
        onClose();
        void navigate({ to: '/team', search: {} as never });
      },
      () => undefined, // said at the field
    );
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('teams.delete.question', { team: team.name })}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('teams.cancel')}
          </Button>
          <ActionButton
            form={formId}
            color="bad"
            disabled={!isRight}
            pending={remove.isPending}
            pendingLabel={t('teams.delete.pending')}
          >
            {t('teams.delete.confirm')}
          </ActionButton>
        </>
      }
    >
      <form onInput={forgetRefusal(remove)} id={formId} className={styles.form} onSubmit={submit}>
        <p>{t('teams.delete.what', { days: restorableDays })}</p>
        <TextField
          label={t('teams.delete.typeName', { team: team.name })}
          autoComplete="off"
          value={typed}
          error={remove.isError ? errorText(remove.error) : null}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
