import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { TextField } from '#ui/text-field.tsx';
import { AvatarField } from './avatar-field.tsx';
import styles from './profile-form.module.css';
import { type AccountProfile, type ProfileChange, useChangeProfile } from './queries.ts';
import { SaveMessage } from './save-message.tsx';

export interface ProfileFormProps {
  profile: AccountProfile;
  /** Whether something was changed here that is not saved. */
  onDirty: (dirty: boolean) => void;
}

export function ProfileForm({ profile, onDirty }: ProfileFormProps) {
  const { t } = useTranslation();
  const change = useChangeProfile();
  // Untouched fields follow changes of another window.
  const [touched, setTouched] = useState<ProfileChange & object>({});
  const { name, company, phone } = profile;
  const saved = { name, company: company ?? '', phone: phone ?? '' };
  const shown = { ...saved, ...touched };
  const dirty = (['name', 'company', 'phone'] as const).some((field) => shown[field] !== saved[field]);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const set = (part: typeof touched) => {
    change.reset();
    setTouched({ ...touched, ...part });
  };
  return (
    <Panel title={t('accounts.profile.information')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(touched, { onSuccess: () => setTouched({}) });
        }}
      >
        <AvatarField profile={profile} />
        <TextField
          label={t('accounts.profile.name')}
          autoComplete="name"
          maxLength={200}
          value={shown.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextField label={t('accounts.email')} value={profile.email} disabled readOnly />
        <TextField
          label={t('accounts.profile.company')}
          autoComplete="organization"
          maxLength={200}
          value={shown.company}
          onChange={(event) => set({ company: event.currentTarget.value })}
        />
        <TextField
          label={t('accounts.profile.phone')}
          type="tel"
          autoComplete="tel"
          maxLength={40}
          value={shown.phone}
          onChange={(event) => set({ phone: event.currentTarget.value })}
        />
        <div className={styles.save}>
          <ActionButton pending={change.isPending} pendingLabel={t('accounts.saving')}>
            {t('accounts.profile.save')}
          </ActionButton>
          <SaveMessage mutation={change} saved={t('accounts.profile.saved')} failed={t('accounts.profile.failed')} />
        </div>
      </form>
    </Panel>
  );
}
