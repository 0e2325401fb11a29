import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longestAbout, longestTeamName } from '#features/teams/rules.ts';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Team, useChangeTeam } from '../queries.ts';
import styles from '../teams.module.css';

export function NameForm({ team }: { team: Team }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeTeam(team.id);
  const [name, setName] = useState(team.name);
  const [about, setAbout] = useState(team.about);
  const isSame = name.trim() === team.name && about.trim() === team.about;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isSame) return;
    void change.mutateAsync({ name: name.trim(), about: about.trim() }).then(
      () => showToast({ subject: 'team', state: 'ok', message: t('teams.settings.saved') }),
      () => undefined, // said at the field
    );
  };
  return (
    <form onInput={forgetRefusal(change)} className={styles.form} onSubmit={submit}>
      <TextField
        label={t('teams.settings.name')}
        required
        maxLength={longestTeamName}
        value={name}
        error={change.isError ? errorText(change.error) : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextArea
        label={t('teams.settings.about')}
        maxLength={longestAbout}
        autosize
        minRows={2}
        maxRows={8}
        value={about}
        onChange={(event) => setAbout(event.currentTarget.value)}
      />
      <div>
        <ActionButton pending={change.isPending} pendingLabel={t('teams.settings.saving')} disabled={isSame}>
          {t('teams.settings.save')}
        </ActionButton>
      </div>
    </form>
  );
}
