import { type ReactNode, useEffect } from 'react';
import { Banner } from '#ui/banner.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { EntranceFrame } from '../frame/entrance-frame.tsx';
import { useFollow } from '../frame/entrance-link.tsx';
import styles from '../frame/guest-form.module.css';
import { useEntrance } from '../frame/use-entrance.ts';

export interface CheckYourEmailProps {
  email: string;
  text: ReactNode;
  /** Where the mail can be read on a machine that sends none. */
  mailAt: string | null;
  /** The next step if no mail comes. */
  otherwise: ReactNode;
}

/** After a form that had a mail sent. */
export function CheckYourEmail({ email, text, mailAt, otherwise }: CheckYourEmailProps) {
  const { t } = useEntrance();
  const follow = useFollow();
  // The form that had the focus is gone.
  useEffect(() => void focusPageTitle(), []);
  return (
    <EntranceFrame art="mail" title={t('access.checkEmail.title')} text={text}>
      <div className={styles.stack}>
        {mailAt ? (
          <>
            <Banner state="info">{t('access.checkEmail.kept')}</Banner>
            <ButtonAnchor href={mailAt} fullWidth>
              {t('access.checkEmail.open')}
            </ButtonAnchor>
          </>
        ) : null}
        <ButtonAnchor
          href="/login"
          variant={mailAt ? 'default' : 'filled'}
          fullWidth
          onClick={(event) => follow(event, { email })}
        >
          {t('access.backToLogin')}
        </ButtonAnchor>
        {mailAt ? null : <p className={styles.quiet}>{otherwise}</p>}
      </div>
    </EntranceFrame>
  );
}
