import { useTranslation } from 'react-i18next';
import { Button, ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import form from '../frame/guest-form.module.css';
import styles from './enroll.module.css';

export interface EnrollSecretProps {
  otpauth: string;
  /** Base32. */
  secret: string;
  onAdded: () => void;
}

/** The secret for an authenticator app: to scan, to open on this device, to type. */
export function EnrollSecret({ otpauth, secret, onAdded }: EnrollSecretProps) {
  const { t } = useTranslation();
  return (
    <div className={form.stack}>
      <div className={styles.code}>
        <QrCode text={otpauth} label={t('access.enroll.qr')} size={200} />
      </div>
      <ButtonAnchor href={otpauth} variant="default" fullWidth className={styles.openApp}>
        {t('access.enroll.open')}
      </ButtonAnchor>
      <div className={styles.manual}>
        <p>{t('access.enroll.manual')}</p>
        <div className={styles.secret}>
          <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret} size="xs" />
        </div>
      </div>
      <Button type="button" fullWidth onClick={onAdded}>
        {t('access.enroll.added')}
      </Button>
    </div>
  );
}

/** The same, while the secret is on its way. */
export function EnrollSecretSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={form.stack} role="status" aria-label={t('shell.loading')}>
      <div className={styles.code}>
        <Skeleton width={200} height={200} />
      </div>
      <Skeleton height={76} />
      <Skeleton height={36} />
    </div>
  );
}
