import { useTranslation } from 'react-i18next';
import { initialsOf } from '#ui/avatar.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { PictureField } from '#ui/picture-field.tsx';
import { type Team, useChangeLogo } from '../queries.ts';

/** A team's picture, changed at once. */
export function LogoField({ team }: { team: Team }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeLogo(team.id);
  return (
    <PictureField
      initials={initialsOf(team.name, null)}
      picture={team.logo_url}
      pending={change.isPending}
      problem={change.isError ? errorText(change.error) : null}
      tooLarge={t('teams.logo.tooLarge')}
      words={{
        choose: t('teams.logo.choose'),
        change: t('teams.logo.change'),
        remove: t('teams.logo.remove'),
        uploading: t('teams.logo.uploading'),
        hint: t('teams.logo.hint'),
      }}
      chosen={change.variables}
      onChange={(file) => change.mutate(file)}
    />
  );
}
