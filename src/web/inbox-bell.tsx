import { IconBell } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadUnreadCount } from '#features/inbox/web/screens.ts';
import { IconButton } from '#ui/button.tsx';
import styles from './inbox-bell.module.css';
import { setUnreadCount, useUnreadCount } from './unread-count.ts';

const UnreadCount = lazy(async () => ({ default: await loadUnreadCount() }));

const most = 99;

/** In the header: how many notices are unread; opens the inbox. */
export function InboxBell({ onOpen, onNear }: { onOpen: () => void; onNear: () => void }) {
  const { t } = useTranslation();
  const unread = useUnreadCount();
  return (
    <span className={styles.bell}>
      <Suspense>
        <UnreadCount onCount={setUnreadCount} />
      </Suspense>
      <IconButton
        label={t('shell.inbox', { count: unread })}
        aria-haspopup="dialog"
        onPointerEnter={onNear}
        onFocus={onNear}
        onClick={onOpen}
      >
        <IconBell size={18} stroke={1.6} aria-hidden />
      </IconButton>
      {unread > 0 ? (
        <span className={styles.count} aria-hidden>
          {unread > most ? `${most}+` : unread}
        </span>
      ) : null}
    </span>
  );
}
