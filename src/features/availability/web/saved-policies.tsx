import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, msOfInstant } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { type Availability, type Policy, useCancelSwitch } from './queries.ts';
import styles from './saved-policies.module.css';

// Opened by a press: the page does not wait for them.
const ApplyDialog = lazy(async () => ({ default: (await import('./apply-dialog.tsx')).ApplyDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));
const VersionsDialog = lazy(async () => ({ default: (await import('./versions-dialog.tsx')).VersionsDialog }));

export interface SavedPoliciesProps {
  availability: Availability;
  /** The one that is open in the form. */
  edited: string | null;
  onEdit: (policyId: string) => void;
}

type Opened = { dialog: 'apply' | 'delete' | 'versions'; policy: Policy } | null;

/** The hours that were saved under a name. */
export function SavedPolicies({ availability, edited, onEdit }: SavedPoliciesProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const { policies, switches } = availability;
  return (
    <Panel title={t('availability.policies.title')} text={t('availability.policies.text')}>
      {policies.length === 0 ? (
        <p className={styles.empty}>{t('availability.policies.empty')}</p>
      ) : (
        <ul className={styles.grid}>
          {policies.map((policy) => (
            <PolicyCard
              key={policy.policy_id}
              policy={policy}
              switches={switches.filter(({ policy_id }) => policy_id === policy.policy_id)}
              edited={policy.policy_id === edited}
              onEdit={() => onEdit(policy.policy_id)}
              onOpen={(dialog) => setOpened({ dialog, policy })}
            />
          ))}
        </ul>
      )}
      <Suspense>
        {opened?.dialog === 'apply' ? <ApplyDialog policy={opened.policy} onClose={close} /> : null}
        {opened?.dialog === 'delete' ? <DeleteDialog policy={opened.policy} onClose={close} /> : null}
        {opened?.dialog === 'versions' ? <VersionsDialog policy={opened.policy} onClose={close} /> : null}
      </Suspense>
    </Panel>
  );
}

interface PolicyCardProps {
  policy: Policy;
  switches: Availability['switches'];
  edited: boolean;
  onEdit: () => void;
  onOpen: (dialog: 'apply' | 'delete' | 'versions') => void;
}

function PolicyCard({ policy, switches, edited, onEdit, onOpen }: PolicyCardProps) {
  const { t } = useTranslation();
  const reading = usePreferences();
  const nowMs = useNowMs();
  const cancel = useCancelSwitch();
  const { name } = policy;
  const followers = policy.used_by.filter(({ kind }) => kind !== 'active' && kind !== 'scheduled');
  return (
    <li className={styles.card} data-edited={edited || undefined}>
      <div className={styles.top}>
        <h3>{name}</h3>
        {policy.active ? <StateBadge state="ok">{t('availability.policies.active')}</StateBadge> : null}
      </div>
      <p className={styles.meta}>
        <Tag>{t('availability.policies.version', { version: policy.version })}</Tag>
        <RelativeTime at={policy.saved_at} />
      </p>
      {followers.length > 0 ? (
        <p className={styles.meta}>{t('availability.policies.followers', { count: followers.length })}</p>
      ) : null}
      {switches.map(({ from }) => (
        <p key={from} className={styles.later}>
          <span>{t('availability.policies.later', { day: formatDay(msOfInstant(from), reading, nowMs) })}</span>
          <Button variant="subtle" size="xs" disabled={cancel.isPending} onClick={() => cancel.mutate(from)}>
            {t('availability.policies.cancelLater')}
          </Button>
        </p>
      ))}
      <div className={styles.actions}>
        <Button
          variant="default"
          size="xs"
          aria-label={t('availability.policies.applyName', { name })}
          onClick={() => onOpen('apply')}
          disabled={policy.active && switches.length === 0}
        >
          {t('availability.policies.apply')}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={t('availability.policies.editName', { name })}
          aria-pressed={edited}
          onClick={onEdit}
        >
          {t('availability.policies.edit')}
        </Button>
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('availability.policies.versionsName', { name })}
          onClick={() => onOpen('versions')}
        >
          {t('availability.policies.versions')}
        </Button>
        <Button
          variant="subtle"
          color="bad"
          size="xs"
          aria-label={t('availability.policies.deleteName', { name })}
          onClick={() => onOpen('delete')}
        >
          {t('availability.policies.delete')}
        </Button>
      </div>
    </li>
  );
}
