import { EntranceFrame } from './entrance-frame.tsx';
import styles from './guest-form.module.css';
import { PasskeyButton } from './passkey-button.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useEntrance } from './use-entrance.ts';

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
