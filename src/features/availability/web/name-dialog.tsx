import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './small-form.module.css';

/** The name of a new policy. */
export function NameDialog({ onName, onClose }: { onName: (name: string) => Promise<void>; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [name, setName] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('availability.policies.newTitle')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('availability.cancel')}
          </Button>
          <ActionButton form="policy-name" pending={pending} pendingLabel={t('availability.saving')}>
            {t('availability.policies.create')}
          </ActionButton>
        </>
      }
    >
      <form
        id="policy-name"
        className={styles.form}
        onInput={() => setError(null)}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation(); // the form behind it is another one
          if (name.trim() === '') return;
          setPending(true);
          onName(name.trim())
            .then(onClose, setError)
            .finally(() => setPending(false));
        }}
      >
        <TextField
          label={t('availability.policies.name')}
          value={name}
          maxLength={80}
          required
          data-autofocus
          error={error === null ? undefined : errorText(error)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <p className={styles.note}>{t('availability.policies.newText')}</p>
      </form>
    </Dialog>
  );
}
