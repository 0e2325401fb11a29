import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { nowMs } from '#ui/clock.ts';
import { DateField } from '#ui/dates/when-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { type Policy, useApplyPolicy } from './queries.ts';
import styles from './small-form.module.css';

/** From when on a policy is the default. */
export function ApplyDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const apply = useApplyPolicy();
  const [tomorrow] = useState(() =>
    Temporal.Instant.fromEpochMilliseconds(nowMs())
      .toZonedDateTimeISO(policy.hours.timezone)
      .toPlainDate()
      .add({ days: 1 })
      .toString(),
  );
  const [when, setWhen] = useState<'now' | 'later'>(policy.active ? 'later' : 'now');
  const [day, setDay] = useState(tomorrow);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('availability.apply.title', { name: policy.name })}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('availability.cancel')}
          </Button>
          <ActionButton
            type="button"
            pending={apply.isPending}
            pendingLabel={t('availability.apply.pending')}
            onClick={() =>
              apply.mutate({ policyId: policy.policy_id, from: when === 'now' ? null : day }, { onSuccess: onClose })
            }
          >
            {t('availability.policies.apply')}
          </ActionButton>
        </>
      }
    >
      <div className={styles.form}>
        <Segmented
          aria-label={t('availability.apply.when')}
          value={when}
          data={[
            { value: 'now', label: t('availability.apply.now') },
            { value: 'later', label: t('availability.apply.later') },
          ]}
          onChange={(next) => setWhen(next === 'later' ? 'later' : 'now')}
        />
        {when === 'later' ? (
          <DateField
            label={t('availability.apply.day')}
            value={day}
            min={tomorrow}
            required
            onValue={(value) => setDay(value || day)}
          />
        ) : null}
        <p className={styles.note}>{t('availability.apply.text')}</p>
        {apply.error ? (
          <p className={styles.error} role="alert">
            {errorText(apply.error)}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
