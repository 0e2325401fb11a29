import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { takeoutContract } from '#features/takeout/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient, urlOf } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, ButtonAnchor } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { formatMoment } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { useReauthentication } from '#ui/reauthentication.tsx';
import styles from './leaving-panel.module.css';

const api = createClient(takeoutContract);
const exportKey = ['takeout', 'export'];
type Made = NonNullable<Output<typeof takeoutContract.readExport>['export']>;

/** All of one's data in a file: prepared in the background, followed live, kept for a day. */
export function ExportRow() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const current = useQuery({
    queryKey: exportKey,
    queryFn: ({ signal }) => api.readExport({}, { signal }),
    // the server tells; this is for when it cannot
    refetchInterval: ({ state }) => (state.data?.export?.state === 'making' ? 5_000 : false),
  });
  const withProof = useReauthentication();
  const start = useMutation({
    mutationFn: () => withProof(() => api.startExport()),
    onSuccess: (answer) => queryClient.setQueryData(exportKey, answer),
  });
  const made = current.data?.export ?? null;
  const isMaking = start.isPending || made?.state === 'making';
  return (
    <>
      <div className={styles.row}>
        <div className={styles.words}>
          <h3>{t('accounts.leaving.export')}</h3>
          <p>{t('accounts.leaving.exportText')}</p>
        </div>
        <ActionButton
          type="button"
          variant="default"
          pending={isMaking}
          pendingLabel={t('accounts.leaving.exportPending')}
          onClick={() => start.mutate()}
        >
          {made?.state === 'ready' ? t('accounts.leaving.exportAgain') : t('accounts.leaving.exportStart')}
        </ActionButton>
      </div>
      <div role="status" className={styles.state}>
        {made === null ? null : <ExportState made={made} />}
      </div>
      {start.error ? (
        <Banner state="bad" role="alert">
          {errorText(start.error)}
        </Banner>
      ) : null}
    </>
  );
}

function ExportState({ made }: { made: Made }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  if (made.state === 'failed') return <Banner state="bad">{t('accounts.leaving.exportFailed')}</Banner>;
  if (made.state === 'making') {
    const { done, total } = made;
    return (
      <ProgressBar
        label={t('accounts.leaving.exportProgress', { done, total })}
        value={done}
        max={Math.max(total, 1)}
      />
    );
  }
  const size = new Intl.NumberFormat(preferences.locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  return (
    <Banner
      state="ok"
      title={t('accounts.leaving.exportReady')}
      actions={
        <ButtonAnchor href={urlOf(takeoutContract.downloadExport, { params: { exportId: made.id as never } })} download>
          {t('accounts.leaving.exportDownload', { size: size.format(Math.ceil(made.sizeBytes / 1000)) })}
        </ButtonAnchor>
      }
    >
      {t('accounts.leaving.exportUntil', { time: formatMoment(made.expiresAt, preferences) })}
    </Banner>
  );
}
