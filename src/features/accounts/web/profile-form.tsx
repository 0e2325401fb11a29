import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './profile-form.module.css';
import { type AccountProfile, useChangeProfile } from './queries.ts';
import { SaveMessage } from './save-message.tsx';

export function ProfileForm({ profile }: { profile: AccountProfile }) {
  const { t } = useTranslation();
  const change = useChangeProfile();
  const [draft, setDraft] = useState({
    name: profile.name,
    company: profile.company ?? '',
    phone: profile.phone ?? '',
  });
  return (
    <Panel title={t('accounts.profile.information')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(draft);
        }}
      >
        <TextField
          label={t('accounts.profile.name')}
          autoComplete="name"
          maxLength={200}
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <TextField label={t('accounts.email')} value={profile.email} disabled readOnly />
        <TextField
          label={t('accounts.profile.company')}
          autoComplete="organization"
          maxLength={200}
          value={draft.company}
          onChange={(event) => setDraft({ ...draft, company: event.currentTarget.value })}
        />
        <TextField
          label={t('accounts.profile.phone')}
          type="tel"
          autoComplete="tel"
          maxLength={40}
          value={draft.phone}
          onChange={(event) => setDraft({ ...draft, phone: event.currentTarget.value })}
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
