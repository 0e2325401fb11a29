import { IconExternalLink, IconPencil } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor, IconButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import type { Handle } from '../queries.ts';
import styles from './handle-panel.module.css';

const HandleForm = lazy(async () => ({ default: (await import('./handle-form.tsx')).HandleForm }));

/** The first part of every public address: chosen once, and changed with care. */
export function HandlePanel({ handle }: { handle: Handle }) {
  const { t } = useTranslation();
  const [changing, setChanging] = useState(false);
  if (handle.handle === null || handle.url === null || changing)
    return (
      <Suspense fallback={<div className={styles.ghost} />}>
        <HandleForm handle={handle} onDone={() => setChanging(false)} />
      </Suspense>
    );
  return (
    <div className={styles.own}>
      <p className={styles.address}>
        <span className="hf-sr-only">{t('booking.handle.profile')}</span>
        {handle.base.replace(/^https?:\/\//, '')}
        <strong>{handle.handle}</strong>
      </p>
      <CopyButton text={handle.url} size="xs">
        {t('booking.row.copy')}
        <span className="hf-sr-only"> {t('booking.handle.toPage')}</span>
      </CopyButton>
      <ButtonAnchor
        href={handle.url}
        target="_blank"
        rel="noreferrer noopener"
        variant="subtle"
        size="xs"
        leftSection={<IconExternalLink size={15} aria-hidden />}
      >
        {t('booking.handle.open')}
      </ButtonAnchor>
      <IconButton label={t('booking.handle.change')} onClick={() => setChanging(true)}>
        <IconPencil size={17} aria-hidden />
      </IconButton>
    </div>
  );
}
