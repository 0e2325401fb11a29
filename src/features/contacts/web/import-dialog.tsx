import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './import-dialog.module.css';
import { type Import, useImport, usePreviewImport } from './queries.ts';

/** A file is shown before it is taken: what it adds, what it fills in, and what it cannot. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preview = usePreviewImport();
  const take = useImport();
  const [file, setFile] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const plan = preview.data;
  const changes = plan === undefined ? 0 : plan.added + plan.changed;
  const failed = take.error ?? preview.error;

  const choose = (chosen: File) => {
    take.reset();
    setFile(chosen);
    preview.mutate(chosen);
  };
  const submit = () => {
    if (file === null) return;
    take.mutate(file, {
      onSuccess: ({ added, changed }) => {
        showToast({ subject: 'contacts-import', state: 'ok', message: t('contacts.import.done', { added, changed }) });
        onClose();
      },
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('contacts.import.title')}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('contacts.cancel')}
          </Button>
          <ActionButton
            type="button"
            disabled={changes === 0}
            pending={take.isPending}
            pendingLabel={t('contacts.import.pending')}
            onClick={submit}
          >
            {t('contacts.import.submit')}
          </ActionButton>
        </>
      }
    >
      <p className={styles.text}>{t('contacts.import.text')}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.vcf,text/csv,text/vcard"
        aria-label={t('contacts.import.choose')}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = ''; // the same file may be chosen again
          if (chosen) choose(chosen);
        }}
      />
      <div className={styles.file}>
        <ActionButton
          type="button"
          variant="default"
          data-autofocus
          pending={preview.isPending}
          pendingLabel={t('contacts.import.reading')}
          onClick={() => input.current?.click()}
        >
          {file === null ? t('contacts.import.choose') : t('contacts.import.another')}
        </ActionButton>
        {file === null ? null : <span className={styles.name}>{file.name}</span>}
      </div>
      {failed === null ? null : (
        <p className={styles.error} role="alert">
          {errorText(failed)}
        </p>
      )}
      {plan === undefined ? null : <Preview plan={plan} />}
    </Dialog>
  );
}

function Preview({ plan }: { plan: Import }) {
  const { t } = useTranslation();
  const sums = (['added', 'changed', 'same', 'refused'] as const).filter((what) => plan[what] > 0);
  return (
    <>
      <p className={styles.sums} role="status">
        {sums.map((what) => t(`contacts.import.sum.${what}`, { count: plan[what] })).join(' · ')}
      </p>
      <ul className={styles.rows}>
        {plan.rows.map((row) => (
          <li key={row.line} data-what={row.what}>
            <span className={styles.line}>{t('contacts.import.line', { line: row.line })}</span>
            <span className={styles.who}>{row.name === null ? row.address : `${row.name} · ${row.address}`}</span>
            <span className={styles.what}>
              {row.reason === null
                ? [
                    t(`contacts.import.what.${row.what}`),
                    ...(row.gains.length === 0
                      ? []
                      : [row.gains.map((gain) => t(`contacts.import.gain.${gain}`)).join(', ')]),
                  ].join(': ')
                : t(`contacts.import.reason.${row.reason}`)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
