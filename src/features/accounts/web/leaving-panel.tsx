import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ExportRow } from './export-row.tsx';
import styles from './leaving-panel.module.css';

/** The export of a person's data, and the deletion of the account. */
export function LeavingPanel({ email }: { email: string }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Panel title={t('accounts.leaving.title')}>
        <div className={styles.form}>
          <ExportRow />
        </div>
      </Panel>
      <Panel title={t('accounts.leaving.danger')}>
        <div className={styles.row}>
          <div className={styles.words}>
            <h3>{t('accounts.leaving.delete')}</h3>
            <p>{t('accounts.leaving.deleteText')}</p>
          </div>
          <Button color="bad" onClick={() => setAsked(true)}>
            {t('accounts.leaving.deleteAction')}
          </Button>
        </div>
      </Panel>
      <DeleteAccountDialog email={email} opened={asked} onClose={() => setAsked(false)} />
    </>
  );
}
