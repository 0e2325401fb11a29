import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { type Account, useDisconnect } from './queries.ts';

/** Leave no trace: says what will be removed before it is. */
export function DisconnectDialog({
  account,
  opened,
  onClose,
}: {
  account: Account;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const disconnect = useDisconnect();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('connections.disconnectDialog.question')}
      confirmLabel={t('connections.disconnect')}
      pendingLabel={t('connections.disconnectDialog.pending')}
      pending={disconnect.isPending}
      destructive
      onConfirm={() => disconnect.mutate(account.accountId, { onSuccess: onClose })}
    >
      <p>{t('connections.disconnectDialog.text', { account: account.email })}</p>
      {disconnect.error ? (
        <Banner state="bad" role="alert" title={t('connections.disconnectDialog.failed')}>
          {errorText(disconnect.error)}
        </Banner>
      ) : null}
    </ConfirmDialog>
  );
}
