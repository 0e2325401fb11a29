import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { adminContract } from '#features/admin/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './mfa-notice.module.css';
import type { SessionUser } from './session.ts';

const api = createClient({ end: adminContract.endImpersonation });

/** Over every screen of a session in somebody else's place. */
export function ImpersonationBar({ user }: { user: SessionUser }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const end = useMutation({
    mutationFn: () => api.end(),
    onSuccess: ({ isBack }) => {
      queryClient.clear();
      window.location.assign(isBack ? `/admin/users?user=${user.user_id}` : '/admin/login');
    },
    onError: (error) => showToast({ subject: 'session', state: 'bad', message: errorText(error) }),
  });
  return (
    <aside className={styles.notice} aria-label={t('impersonation.label')}>
      <Banner
        state="warn"
        actions={
          <ActionButton
            type="button"
            size="xs"
            variant="default"
            pending={end.isPending}
            pendingLabel={t('impersonation.ending')}
            onClick={() => end.mutate()}
          >
            {t('impersonation.end')}
          </ActionButton>
        }
      >
        {t('impersonation.text', { email: user.email, time: formatTime(user.impersonatedUntil ?? 0, preferences) })}
      </Banner>
    </aside>
  );
}
