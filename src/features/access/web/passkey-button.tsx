import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { canUsePasskeys } from './authenticator.ts';
import { type Door, useComeIn } from './come-in.ts';
import styles from './guest-form.module.css';
import { useSignInWithPasskey } from './passkey-queries.ts';
import { usePasskeyText } from './passkey-text.ts';
import { Refusal } from './refusal.tsx';

/** Sign in without a password, where this browser can; nothing where it cannot. */
export function PasskeyButton({ door }: { door: Door }) {
  const { t } = useTranslation();
  const comeIn = useComeIn(door);
  const passkeyText = usePasskeyText();
  const signIn = useSignInWithPasskey(door);
  const [leadsNowhere, setLeadsNowhere] = useState(false);
  if (!canUsePasskeys()) return null;
  return (
    <div className={styles.stack}>
      {signIn.error ? <Refusal>{passkeyText(signIn.error)}</Refusal> : null}
      {leadsNowhere ? <Refusal>{t('access.signIn.failed')}</Refusal> : null}
      <ActionButton
        type="button"
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} stroke={1.6} aria-hidden />}
        pending={signIn.isPending}
        pendingLabel={t('access.passkey.pending')}
        onClick={() => {
          setLeadsNowhere(false);
          signIn.mutate(undefined, { onSuccess: (answer) => setLeadsNowhere(!comeIn(answer)) });
        }}
      >
        {t('access.passkey.action')}
      </ActionButton>
    </div>
  );
}
