import { EntranceFrame } from '../frame/entrance-frame.tsx';
import styles from '../frame/guest-form.module.css';
import { useEntrance } from '../frame/use-entrance.ts';
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function AdminSignInPage() {
  const { t } = useEntrance();
  return (
    <EntranceFrame
      title={t('access.admin.title')}
      text={t('access.admin.text')}
      other={<a href="/">{t('access.admin.back')}</a>}
    >
      <div className={styles.stack}>
        <SignInForm door="admin" />
        <PasskeyButton door="admin" />
      </div>
    </EntranceFrame>
  );
}
