import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar, initialsOf } from '#ui/avatar.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import styles from './avatar-field.module.css';
import { type AccountProfile, useChangeAvatar } from './queries.ts';

const MOST_BYTES = 2 * 1024 * 1024;

/** One's picture, changed at once: what is chosen is uploaded, and shown as the server made it. */
export function AvatarField({ profile }: { profile: AccountProfile }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeAvatar();
  const input = useRef<HTMLInputElement>(null);
  const isTooLarge = change.variables !== undefined && (change.variables?.size ?? 0) > MOST_BYTES;
  return (
    <div className={styles.field}>
      <Avatar size="lg" initials={initialsOf(profile.name, profile.email)} picture={profile.avatarUrl} />
      <div>
        <div className={styles.buttons}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp,image/gif"
            aria-label={t('accounts.avatar.choose')}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = ''; // the same file may be chosen again
              if (file) change.mutate(file);
            }}
          />
          <ActionButton
            type="button"
            variant="default"
            pending={change.isPending}
            pendingLabel={t('accounts.avatar.uploading')}
            onClick={() => input.current?.click()}
          >
            {profile.avatarUrl === null ? t('accounts.avatar.choose') : t('accounts.avatar.change')}
          </ActionButton>
          {profile.avatarUrl === null || change.isPending ? null : (
            <Button variant="subtle" color="gray" onClick={() => change.mutate(null)}>
              {t('accounts.avatar.remove')}
            </Button>
          )}
        </div>
        <p className={styles.hint} role="status">
          {change.isError ? (
            <span className={styles.error}>{isTooLarge ? t('accounts.avatar.tooLarge') : errorText(change.error)}</span>
          ) : (
            t('accounts.avatar.hint')
          )}
        </p>
      </div>
    </div>
  );
}
