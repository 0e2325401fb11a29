import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import type { CallInput } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { copyText } from '#ui/copy-text.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SearchSelect } from '#ui/search-select.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { isZoneFor, listZones } from '../find-zones.ts';
import styles from './share-times.module.css';
import { writeTimes } from './write-times.ts';

const api = createClient(bookingContract);
type NewLink = CallInput<typeof bookingContract.createBookingLink>['body'];

/** The times that were picked, as a text, as HTML and as a link: the first booking takes one and closes the link. */
export function ShareTimesDialog(props: {
  starts: readonly number[];
  minutes: number;
  /** Undefined: the person has none yet, and gets one of 30 minutes. */
  eventTypeId: string | undefined;
  onClose: () => void;
}) {
  const { starts, minutes, eventTypeId, onClose } = props;
  const { t } = useTranslation();
  const preferences = usePreferences();
  const [openedMs] = useState(useNowMs());
  const [zone, setZone] = useState(preferences.zone);
  const [zones] = useState(() => listZones([preferences.zone], openedMs));
  const { mutate, ...made } = useMutation({ mutationFn: (body: NewLink) => api.createBookingLink({ body }) });
  const create = () =>
    mutate({
      kind: 'times',
      starts: [...starts],
      duration_minutes: minutes,
      uses: 1,
      ...(eventTypeId !== undefined && { event_type_id: eventTypeId as NonNullable<NewLink['event_type_id']> }),
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one link for what was picked when this opened
  useEffect(create, []);
  const url = made.data?.link.url;
  const { locale, timeFormat } = preferences;
  const written = url === undefined ? null : writeTimes({ starts, minutes, zone, url, locale, timeFormat }, t);
  return (
    <Dialog opened onClose={onClose} title={t('share.dialogTitle', { count: starts.length })}>
      {written !== null && url !== undefined ? (
        <div className={styles.dialog}>
          <SearchSelect
            label={t('share.zone')}
            value={zone}
            data={zones}
            matches={isZoneFor}
            nothingFound={t('share.noZone')}
            onChange={setZone}
          />
          <TextArea label={t('share.text')} value={written.text} readOnly rows={13} />
          <span className={styles.copies}>
            <CopyButton text={written.text}>{t('share.copyText')}</CopyButton>
            <CopyHtml {...written} />
            <CopyButton text={url}>{t('share.copyLink')}</CopyButton>
          </span>
        </div>
      ) : made.isError ? (
        <ErrorState title={t('share.failed')} error={made.error} onRetry={create} />
      ) : (
        <SkeletonRows rows={5} label={t('share.pending')} />
      )}
    </Dialog>
  );
}

/** For a mail that is being written: pasted there it is a list with links. Where a browser takes text only, the markup. */
function CopyHtml({ text, html }: { text: string; html: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      const kinds = {
        'text/html': new Blob([html], { type: 'text/html' }),
        'text/plain': new Blob([text], { type: 'text/plain' }),
      };
      await navigator.clipboard.write([new ClipboardItem(kinds)]);
      setCopied(true);
    } catch {
      setCopied(await copyText(html));
    }
  };
  return (
    <Button
      type="button"
      variant="default"
      leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      onClick={() => void copy()}
    >
      {copied ? t('share.copied') : t('share.copyHtml')}
      <span className="hf-sr-only" role="status">
        {copied ? t('share.copied') : ''}
      </span>
    </Button>
  );
}
