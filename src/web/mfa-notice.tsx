import { createLink, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import styles from './mfa-notice.module.css';

const LinkButton = createLink(ButtonAnchor);

/** For an administrator whose account a password alone opens. */
export function MfaNotice() {
  const { t } = useTranslation();
  const from = useLocation({ select: ({ href }) => href });
  return (
    <aside className={styles.notice} aria-label={t('shell.mfaNotice.label')}>
      <Banner
        state="warn"
        actions={
          <LinkButton to="/mfa/enroll" search={{ from }} size="xs" variant="default">
            {t('shell.mfaNotice.action')}
          </LinkButton>
        }
      >
        {t('shell.mfaNotice.text')}
      </Banner>
    </aside>
  );
}
