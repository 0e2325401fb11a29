import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { formatFigures } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useExtendTrial, useFindTrial } from './billing-queries.ts';
import styles from './billing-section.module.css';

/** Seven days more for one person, whose trial is looked up first. */
export function TrialPanel() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const [email, setEmail] = useState('');
  const [asking, setAsking] = useState(false);
  const find = useFindTrial();
  const extend = useExtendTrial();
  const trial = find.data;
  const endsAt = trial?.ends_at ?? null;
  return (
    <Panel title={t('adminBilling.trials')} text={t('adminBilling.trialsText')}>
      <form
        onInput={forgetRefusal(find)}
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          if (email.trim() !== '') find.mutate(email.trim());
        }}
      >
        <TextField
          label={t('adminBilling.email')}
          type="email"
          value={email}
          error={find.isError ? errorText(find.error) : null}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <ActionButton variant="default" pending={find.isPending} pendingLabel={t('shell.loading')}>
          {t('adminBilling.find')}
        </ActionButton>
      </form>
      {trial === undefined ? null : endsAt === null ? (
        <p>{t('adminBilling.noTrial', { email: trial.email })}</p>
      ) : (
        <div className={styles.found}>
          <p>{t('adminBilling.trialEnds', { email: trial.email, day: formatFigures(endsAt, preferences) })}</p>
          <Button
            onClick={() => {
              extend.reset();
              setAsking(true);
            }}
          >
            {t('adminBilling.extend')}
          </Button>
        </div>
      )}
      {asking && trial !== undefined && endsAt !== null ? (
        <ReasonDialog
          opened
          title={t('adminBilling.extendQuestion', { email: trial.email })}
          confirmLabel={t('adminBilling.extend')}
          pending={extend.isPending}
          error={extend.error}
          onClose={() => setAsking(false)}
          onConfirm={(reason) =>
            extend.mutate(
              { email: trial.email, ends_at: endsAt, reason },
              {
                onSuccess: () => {
                  setAsking(false);
                  find.mutate(trial.email);
                  showToast({ subject: 'trial', state: 'ok', message: t('adminBilling.extended') });
                },
              },
            )
          }
        />
      ) : null}
    </Panel>
  );
}
