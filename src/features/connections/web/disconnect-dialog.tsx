import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { type Account, type AccountCalendar, useDisconnect, useKeptEvents } from './queries.ts';

// the contract of bookings is larger than the page
const BookingUses = lazy(async () => ({ default: (await import('./booking-link-dialog.tsx')).BookingUses }));

interface Props {
  account: Account;
  /** An account that Holdfast keeps has one. */
  calendars: AccountCalendar[];
  opened: boolean;
  onClose: () => void;
}

/** Leave no trace: says what will be removed before it is. */
export function DisconnectDialog({ account, calendars, opened, onClose }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const disconnect = useDisconnect();
  const [calendar] = calendars;
  const isKept = account.provider === 'holdfast';
  const kept = useKeptEvents(isKept ? calendar?.calendarId : undefined, opened);
  const count = kept.data?.events ?? 0;
  const isLoading = isKept && kept.isPending && calendar !== undefined;
  const error = disconnect.error ?? kept.error;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('connections.disconnectDialog.question')}
      confirmLabel={
        count === 0 ? t('connections.disconnect') : t('connections.disconnectDialog.deleteEvents', { count })
      }
      pendingLabel={t(isLoading ? 'connections.disconnectDialog.counting' : 'connections.disconnectDialog.pending')}
      // without the number of events, nobody can agree to their deletion
      pending={disconnect.isPending || isLoading || kept.isError}
      destructive
      onConfirm={() => disconnect.mutate(account, { onSuccess: onClose })}
    >
      {count > 0 ? (
        <>
          <Banner state="bad" title={t('connections.disconnectDialog.keptTitle', { count })}>
            {t('connections.disconnectDialog.keptText')}
          </Banner>
          <p>
            <ButtonAnchor
              variant="default"
              size="xs"
              leftSection={<IconDownload size={15} aria-hidden />}
              href={`/api/calendars/${calendar?.calendarId}/file`}
              download
            >
              {t('connections.disconnectDialog.download')}
            </ButtonAnchor>
          </p>
        </>
      ) : (
        <p>
          {t(isKept ? 'connections.disconnectDialog.textKept' : 'connections.disconnectDialog.text', {
            account: account.email,
          })}
        </p>
      )}
      <Suspense>{opened ? <BookingUses account={account} calendars={calendars} /> : null}</Suspense>
      {error ? (
        <Banner state="bad" role="alert" title={t('connections.disconnectDialog.failed')}>
          {errorText(error)}
        </Banner>
      ) : null}
    </ConfirmDialog>
  );
}
