import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import styles from './guest-form.module.css';
import { GuestFrame } from './guest-frame.tsx';
import { LinkButton } from './link-button.ts';

export interface CheckYourEmailProps {
  email: string;
  text: ReactNode;
  /** Where the mail can be read on a machine that sends none. */
  mailAt: string | null;
  /** What to do if no mail comes. */
  otherwise: ReactNode;
}

/** After a form that had a mail sent. */
export function CheckYourEmail({ email, text, mailAt, otherwise }: CheckYourEmailProps) {
  const { t } = useTranslation();
  // The form that had the focus is gone.
  useEffect(() => void focusPageTitle(), []);
  return (
    <GuestFrame art="mail" title={t('access.checkEmail.title')} text={text}>
      <div className={styles.stack}>
        {mailAt ? (
          <>
            <Banner state="info">{t('access.checkEmail.kept')}</Banner>
            <ButtonAnchor href={mailAt} fullWidth>
              {t('access.checkEmail.open')}
            </ButtonAnchor>
          </>
        ) : null}
        <LinkButton to="/login" state={{ email }} variant={mailAt ? 'default' : 'filled'} fullWidth>
          {t('access.backToLogin')}
        </LinkButton>
        {mailAt ? null : <p className={styles.quiet}>{otherwise}</p>}
      </div>
    </GuestFrame>
  );
}
