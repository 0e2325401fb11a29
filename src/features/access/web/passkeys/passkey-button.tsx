import { IconFingerprint } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { ActionButton } from '#ui/button.tsx';
import type { Door } from '../../rules/entrance.ts';
import { callAccess, useAct } from '../frame/call-access.ts';
import { leadsOn, useComeIn } from '../frame/come-in.ts';
import styles from '../frame/guest-form.module.css';
import { Refusal } from '../frame/refusal.tsx';
import { useEntrance } from '../frame/use-entrance.ts';
import { useRefusalText } from '../frame/use-refusal-text.ts';
import { canUsePasskeys, PasskeyError, signWithPasskey } from './authenticator.ts';

/** Sign in without a password, where this browser can; nothing where it cannot. */
export function PasskeyButton({ door }: { door: Door }) {
  const { t } = useEntrance();
  const comeIn = useComeIn(door);
  const refusalText = useRefusalText();
  const signIn = useAct(async () => {
    const passkey = await signWithPasskey(await callAccess('askForPasskey', undefined));
    return callAccess('verifyPasskey', { passkey, app: door });
  });
  const isIn = signIn.answer !== undefined && leadsOn(signIn.answer);
  // The server draws it for everybody; page/first-script.ts hides it where it goes, before it is seen.
  const isUsable = useSyncExternalStore(never, canUsePasskeys, () => true);
  if (!isUsable) return null;
  const { error } = signIn;
  return (
    <div className={styles.stack} data-passkey>
      {error ? (
        <Refusal>
          {error instanceof PasskeyError ? t(`access.passkey.problem.${error.problem}`) : refusalText(error)}
        </Refusal>
      ) : null}
      {signIn.answer && !isIn ? <Refusal>{t('access.signIn.failed')}</Refusal> : null}
      <ActionButton
        type="button"
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} stroke={1.6} aria-hidden />}
        pending={signIn.pending || isIn}
        pendingLabel={t('access.passkey.pending')}
        onClick={() => signIn.start(undefined, { done: comeIn })}
      >
        {t('access.passkey.action')}
      </ActionButton>
    </div>
  );
}

const never = () => () => {};
