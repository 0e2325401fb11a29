import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { useWish } from './come-in.ts';
import form from './guest-form.module.css';

/** The last step: what helps when the app is lost. From here on the person is signed in. */
export function EnrollBackup({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation();
  const router = useRouter();
  const queryClient = useQueryClient();
  const wish = useWish();
  const [kept, setKept] = useState(false);
  useEffect(() => {
    if (kept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [kept]);
  return (
    <div className={form.stack}>
      <BackupCodes codes={codes} onKept={() => setKept(true)} />
      <Button
        type="button"
        fullWidth
        onClick={() => {
          queryClient.removeQueries();
          void router.navigate({ href: wish, replace: true });
        }}
      >
        {t('access.enroll.action')}
      </Button>
    </div>
  );
}
