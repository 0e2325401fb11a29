import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function AdminSignInPage() {
  const { t } = useTranslation();
  return (
    <GuestFrame
      title={t('access.admin.title')}
      text={t('access.admin.text')}
      other={<Link to="/">{t('access.admin.back')}</Link>}
    >
      <div className={styles.stack}>
        <SignInForm door="admin" />
        <PasskeyButton door="admin" />
      </div>
    </GuestFrame>
  );
}
