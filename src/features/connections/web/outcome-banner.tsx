import { IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { IconButton } from '#ui/button.tsx';

export interface Notice {
  succeeded: boolean;
  text: string;
  /** How long it stays; a refusal stays until it is closed. */
  staysMs?: number;
}

/** The message banner of the page: green where it went well, else red. */
export function OutcomeBanner({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  const { t } = useTranslation();
  const { succeeded, text, staysMs } = notice;
  useEffect(() => {
    if (staysMs === undefined) return;
    const timer = setTimeout(onClose, staysMs);
    return () => clearTimeout(timer);
  }, [staysMs, onClose]);
  return (
    <Banner
      state={succeeded ? 'ok' : 'bad'}
      role={succeeded ? 'status' : 'alert'}
      title={text}
      actions={
        <IconButton label={t('connections.closeNotice')} size={28} onClick={onClose}>
          <IconX size={14} aria-hidden />
        </IconButton>
      }
    />
  );
}
