import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longestHandle } from '#features/booking/rules/handle.ts';
import { AddressField } from '#ui/address-field.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Handle, useChangeHandle } from '../queries.ts';
import styles from './handle-panel.module.css';
import { useOwnName } from './use-own-name.ts';

/** Chooses the first part of every public address, or changes it. */
export function HandleForm({ handle, onDone }: { handle: Handle; onDone: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeHandle();
  const [name, setName] = useState(handle.handle ?? handle.suggestion ?? '');
  const { canBeTaken, problem, note } = useOwnName(name, handle.handle);

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!canBeTaken) return;
    change.mutate(name, {
      onSuccess: () => {
        showToast({ subject: 'handle', state: 'ok', message: t('booking.handle.saved') });
        onDone();
      },
    });
  };
  return (
    <Panel
      title={handle.handle === null ? t('booking.handle.chooseTitle') : t('booking.handle.changeTitle')}
      text={handle.handle === null ? t('booking.handle.chooseText') : t('booking.handle.changeText')}
    >
      <form className={styles.form} onSubmit={save}>
        <AddressField
          label={t('booking.handle.label')}
          base={handle.base.replace(/^https?:\/\//, '')}
          value={name}
          longest={longestHandle}
          problem={change.isError && change.variables === name ? errorText(change.error) : problem}
          note={note}
          onChange={setName}
        />
        <span className={styles.actions}>
          {handle.handle === null ? null : (
            <Button type="button" variant="default" onClick={onDone}>
              {t('booking.cancel')}
            </Button>
          )}
          <ActionButton pending={change.isPending} pendingLabel={t('booking.saving')}>
            {handle.handle === null ? t('booking.handle.take') : t('booking.handle.save')}
          </ActionButton>
        </span>
      </form>
    </Panel>
  );
}
