import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { SectionState } from '../section-state.tsx';
import { useHealth } from '../system/system-queries.ts';
import { useAmounts } from '../use-amounts.ts';
import styles from './settings-panels.module.css';
import { type MailOutcome, useChangeRetention, useTestMail } from './settings-queries.ts';

/** How long logs are kept, and whether mail leaves. */
export function LogsPanel() {
  const { t } = useTranslation();
  const health = useHealth();
  return (
    <SectionState query={health} failed={t('adminHealth.loadFailed')}>
      {({ logDays }) => (
        <Panel title={t('adminSettings.logs.title')}>
          <Retention key={logDays} logDays={logDays} />
          <MailTest />
        </Panel>
      )}
    </SectionState>
  );
}

function Retention({ logDays }: { logDays: number }) {
  const { t } = useTranslation();
  const change = useChangeRetention();
  const [typed, setTyped] = useState(String(logDays));
  const [isAsking, setAsking] = useState(false);
  const days = /^\d{1,3}$/.test(typed) && Number(typed) >= 7 && Number(typed) <= 365 ? Number(typed) : null;
  return (
    <div className={styles.form}>
      <TextField
        label={t('adminSettings.logs.days')}
        description={t('adminSettings.logs.daysText')}
        inputMode="numeric"
        error={days === null}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button disabled={days === null || days === logDays} onClick={() => setAsking(true)}>
          {t('adminSettings.logs.save')}
        </Button>
      </div>
      {isAsking && days !== null ? (
        <ReasonDialog
          opened
          title={t('adminSettings.logs.question', { days })}
          confirmLabel={t('adminSettings.logs.save')}
          pending={change.isPending}
          error={change.error}
          onClose={() => setAsking(false)}
          onConfirm={(reason) =>
            change.mutate(
              { logDays: days, reason },
              {
                onSuccess: () => {
                  setAsking(false);
                  showToast({ subject: 'logs', state: 'ok', message: t('adminSettings.logs.changed', { days }) });
                },
              },
            )
          }
        >
          <p>{t('adminSettings.logs.questionText')}</p>
        </ReasonDialog>
      ) : null}
    </div>
  );
}

function MailTest() {
  const { t } = useTranslation();
  const test = useTestMail();
  const { duration } = useAmounts();
  const [isAsking, setAsking] = useState(false);
  const told = ({ outcome, to, error, durationMs }: MailOutcome) =>
    t(`adminSettings.logs.outcome.${outcome}`, { to, error, duration: duration(durationMs) });
  return (
    <div className={styles.flag}>
      <span>
        <strong>{t('adminSettings.logs.mail')}</strong>
        <br />
        <span className={styles.dim}>{t('adminSettings.logs.mailText')}</span>
      </span>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('adminSettings.logs.mail')}
      </Button>
      {test.data === undefined ? null : (
        <Banner state={test.data.outcome === 'sent' ? 'ok' : 'bad'} role="status">
          {told(test.data)}
        </Banner>
      )}
      {isAsking ? (
        <ReasonDialog
          opened
          title={t('adminSettings.logs.mailQuestion')}
          confirmLabel={t('adminSettings.logs.send')}
          pending={test.isPending}
          error={test.error}
          onClose={() => setAsking(false)}
          onConfirm={(reason) => test.mutate(reason, { onSuccess: () => setAsking(false) })}
        />
      ) : null}
    </div>
  );
}
