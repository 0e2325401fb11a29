import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { saveFile } from '#ui/save-file.ts';
import form from '../frame/guest-form.module.css';
import styles from './backup-codes.module.css';

/** Codes that are shown this once: to copy, keep as a file, or print. `onKept`: once they are somewhere else too. */
export function BackupCodes({ codes, onKept }: { codes: readonly string[]; onKept?: () => void }) {
  const { t } = useTranslation();
  const text = codes.join('\n');
  return (
    <div className={form.stack}>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.keep}>
        <CopyButton text={text} fullWidth onCopied={onKept}>
          {t('access.backup.copyAll')}
        </CopyButton>
        <Button
          type="button"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => {
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'holdfast-backup-codes.txt');
            onKept?.();
          }}
        >
          {t('access.backup.download')}
        </Button>
        <Button
          type="button"
          variant="default"
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => {
            window.print();
            onKept?.();
          }}
        >
          {t('access.backup.print')}
        </Button>
      </div>
    </div>
  );
}
