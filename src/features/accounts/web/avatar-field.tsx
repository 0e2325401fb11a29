import { useTranslation } from 'react-i18next';
import { initialsOf } from '#ui/avatar.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { PictureField } from '#ui/picture-field.tsx';
import { type AccountProfile, useChangeAvatar } from './queries.ts';

/** One's picture. */
export function AvatarField({ profile }: { profile: AccountProfile }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeAvatar();
  return (
    <PictureField
      initials={initialsOf(profile.name, profile.email)}
      picture={profile.avatarUrl}
      chosen={change.variables}
      pending={change.isPending}
      problem={change.isError ? errorText(change.error) : null}
      tooLarge={t('accounts.avatar.tooLarge')}
      words={{
        choose: t('accounts.avatar.choose'),
        change: t('accounts.avatar.change'),
        remove: t('accounts.avatar.remove'),
        uploading: t('accounts.avatar.uploading'),
        hint: t('accounts.avatar.hint'),
      }}
      onChange={(file) => change.mutate(file)}
    />
  );
}
