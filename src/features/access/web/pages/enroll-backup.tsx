import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import form from '../frame/guest-form.module.css';
import { useEnter } from '../frame/use-enter.ts';
import { BackupCodes } from './backup-codes.tsx';

/** The last step: what helps when the app is lost. From here on the person is signed in. */
export function EnrollBackup({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation();
  const enter = useEnter();
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
      <Button type="button" fullWidth onClick={enter}>
        {t('access.enroll.action')}
      </Button>
    </div>
  );
}
