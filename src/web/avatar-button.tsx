import type { ComponentPropsWithRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar, initialsOf } from '#ui/avatar.tsx';
import type { SessionUser } from './session.ts';
import styles from './shell.module.css';

/** The avatar as the trigger of the account menu. */
export function AvatarButton({ user, ...rest }: { user: SessionUser } & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation();
  return (
    <button type="button" aria-haspopup="menu" {...rest} className={styles.avatar}>
      <span className="hf-sr-only">{t('shell.accountMenu')}</span>
      <Avatar initials={initialsOf(user.name, user.email)} picture={user.avatarUrl} />
    </button>
  );
}
