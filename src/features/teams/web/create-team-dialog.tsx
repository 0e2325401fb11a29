import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longestHandle, nameForAddress } from '#features/booking/rules/handle.ts';
import { longestTeamName } from '#features/teams/rules.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal, Refusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { HandleField, isHandle } from './handle-field.tsx';
import { type TeamId, useChangeHandle, useCreateTeam } from './queries.ts';
import styles from './teams.module.css';

/** A team by its name and its address. Should somebody take the address meanwhile, the team waits for another one. */
export function CreateTeamDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (teamId: string) => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const create = useCreateTeam();
  const address = useChangeHandle();
  const formId = useId();
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<string>();
  const [made, setMade] = useState<TeamId | null>(null);
  const handle = typed ?? nameForAddress(name, longestHandle);
  const pending = create.isPending || address.isPending;

  const takeAddress = (teamId: TeamId) => {
    setMade(teamId);
    if (handle === '') finish(teamId);
    else address.mutate({ teamId, handle }, { onSuccess: () => finish(teamId) });
  };
  const finish = (teamId: TeamId) => {
    onClose();
    onCreated(teamId);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || (handle !== '' && !isHandle(handle))) return;
    if (made !== null) takeAddress(made);
    else create.mutate(name.trim(), { onSuccess: ({ team }) => takeAddress(team.id) });
  };
  return (
    <Dialog
      opened
      onClose={() => (made === null ? onClose() : finish(made))}
      title={t('teams.create.title')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={() => (made === null ? onClose() : finish(made))}>
            {made === null ? t('teams.cancel') : t('teams.create.later')}
          </Button>
          <ActionButton
            form={formId}
            pending={pending}
            pendingLabel={t('teams.create.pending')}
            disabled={name.trim() === ''}
          >
            {made === null ? t('teams.create.submit') : t('teams.create.takeAddress')}
          </ActionButton>
        </>
      }
    >
      <form onInput={forgetRefusal(create)} id={formId} className={styles.form} onSubmit={submit}>
        <TextField
          label={t('teams.settings.name')}
          placeholder={t('teams.create.placeholder')}
          required
          maxLength={longestTeamName}
          data-autofocus
          disabled={made !== null}
          value={name}
          error={create.isError ? <Refusal error={create.error} /> : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <HandleField
          base={`${location.host}/`}
          teamId={made}
          current={null}
          value={handle}
          refusal={
            address.isError && address.variables.handle === handle
              ? `${errorText(address.error)} ${t('teams.create.isMade')}`
              : null
          }
          onChange={setTyped}
        />
      </form>
    </Dialog>
  );
}
