import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readAddressEntry } from '#features/accounts/rules/address-list.ts';
import { ActionButton } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useBlockedGuests, useChangeBlockedGuests } from './queries.ts';
import styles from './stand-in-dialog.module.css';

/** Addresses and domains that cannot book with this person. */
export function BlockedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const found = useBlockedGuests();
  const change = useChangeBlockedGuests();
  const [typed, setTyped] = useState<string | null>(null);
  const blocked = found.data?.entries;
  const text = typed ?? blocked?.join('\n') ?? '';
  const named = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wrong = named.filter((line) => readAddressEntry(line) === null);
  const isSavable = wrong.length === 0 && named.length <= 500;
  return (
    <Dialog
      opened
      size="sm"
      onClose={onClose}
      title={t('booking.blocked.title')}
      actions={
        blocked === undefined ? null : (
          <ActionButton form={id} pending={change.isPending} pendingLabel={t('booking.saving')} disabled={!isSavable}>
            {t('booking.blocked.save')}
          </ActionButton>
        )
      }
    >
      {blocked === undefined ? (
        found.error ? (
          <ErrorState
            title={t('booking.blocked.loadFailed')}
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        ) : (
          <SkeletonRows rows={2} label={t('booking.loading')} />
        )
      ) : (
        <form
          onInput={forgetRefusal(change)}
          id={id}
          className={styles.parts}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSavable) return;
            change.mutate(named, {
              onSuccess: () => {
                showToast({ subject: 'blocked', state: 'ok', message: t('booking.blocked.saved') });
                onClose();
              },
            });
          }}
        >
          <p className={styles.text}>{t('booking.blocked.text')}</p>
          <TextArea
            label={t('booking.blocked.list')}
            description={t('booking.blocked.listText')}
            minRows={6}
            value={text}
            error={
              wrong.length > 0
                ? t('booking.blocked.wrong', { lines: wrong.join(', ') })
                : change.isError
                  ? errorText(change.error)
                  : undefined
            }
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </form>
      )}
    </Dialog>
  );
}
