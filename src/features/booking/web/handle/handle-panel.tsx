import { IconExternalLink } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import type { Handle } from '../queries.ts';
import styles from './handle-panel.module.css';

const HandleForm = lazy(async () => ({ default: (await import('./handle-form.tsx')).HandleForm }));

/** The first part of every public address: chosen once, and changed with care. */
export function HandlePanel({ handle }: { handle: Handle }) {
  const { t } = useTranslation();
  const [changing, setChanging] = useState(false);
  const plain = handle.base.replace(/^https?:\/\//, '');
  if (handle.handle !== null && handle.url !== null && !changing) {
    return (
      <Panel>
        <div className={styles.own}>
          <p className={styles.address}>
            <span className={styles.label}>{t('booking.handle.profile')}</span>
            <span>
              {plain}
              <strong>{handle.handle}</strong>
            </span>
          </p>
          <span className={styles.actions}>
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
            <Button variant="subtle" color="gray" size="xs" onClick={() => setChanging(true)}>
              {t('booking.handle.change')}
            </Button>
          </span>
        </div>
      </Panel>
    );
  }
  return (
    <Panel
      title={handle.handle === null ? t('booking.handle.chooseTitle') : t('booking.handle.changeTitle')}
      text={handle.handle === null ? t('booking.handle.chooseText') : t('booking.handle.changeText')}
    >
      <Suspense fallback={<SkeletonRows rows={1} label={t('booking.loading')} />}>
        <HandleForm handle={handle} plain={plain} onDone={() => setChanging(false)} />
      </Suspense>
    </Panel>
  );
}
