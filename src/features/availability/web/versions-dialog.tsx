import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { HoursSummary } from './hours-summary.tsx';
import { type Policy, useRollBack, useVersions } from './queries.ts';
import styles from './small-form.module.css';

/** The versions of a policy. Restoring an old one makes a new version. */
export function VersionsDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const list = useVersions(policy.policy_id);
  const rollBack = useRollBack();
  const [chosen, setChosen] = useState(Math.max(1, policy.version - 1));
  const versions = list.data?.versions ?? [];
  const shown = versions.find(({ version }) => version === chosen) ?? versions[0];
  const isNewest = shown?.version === policy.version;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('availability.versions.title', { name: policy.name })}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('availability.versions.close')}
          </Button>
          <ActionButton
            type="button"
            disabled={shown === undefined || isNewest}
            pending={rollBack.isPending}
            pendingLabel={t('availability.saving')}
            onClick={() =>
              rollBack.mutate(
                { policyId: policy.policy_id, version: policy.version, to: chosen },
                { onSuccess: onClose },
              )
            }
          >
            {t('availability.versions.restore')}
          </ActionButton>
        </>
      }
    >
      {shown === undefined ? (
        list.error ? (
          <ErrorState
            title={t('availability.versions.failed')}
            error={list.error}
            onRetry={() => void list.refetch()}
          />
        ) : (
          <SkeletonRows rows={4} label={t('availability.loading')} />
        )
      ) : (
        <div className={styles.form}>
          <SelectField
            label={t('availability.versions.choose')}
            value={String(shown.version)}
            data={versions.map(({ version, note }) => ({
              value: String(version),
              label: note === '' ? t('availability.policies.version', { version }) : `${version}: ${note}`,
            }))}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          />
          <p className={styles.note}>
            <RelativeTime at={shown.saved_at} />
          </p>
          <HoursSummary hours={shown.hours} other={isNewest ? undefined : policy.hours} />
          {isNewest ? null : <p className={styles.note}>{t('availability.versions.text')}</p>}
          {rollBack.error ? (
            <p className={styles.error} role="alert">
              {errorText(rollBack.error)}
            </p>
          ) : null}
        </div>
      )}
    </Dialog>
  );
}
