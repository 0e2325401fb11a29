import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signInProviderOf, signInServices } from '#features/access/rules/sign-in-providers.ts';
import { ActionButton } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import styles from './security-panels.module.css';
import { type TrailEntry, useTrail } from './security-queries.ts';
import { SecurityRow, SecurityRows } from './security-row.tsx';
import { useDeviceName } from './use-device-name.ts';
import { useMethodName } from './use-method-name.ts';

const firstEntries = 8;

/** The log of the account, for its person to find acts of others. */
export function AccountLogPanel() {
  const { t } = useTranslation();
  const trail = useTrail();
  const entries = trail.data?.pages.flatMap((page) => page.entries);
  const isEmpty = entries?.length === 0;
  // A page of the server is long; most people look for what was last.
  const [isWhole, setWhole] = useState(false);
  return (
    <Panel title={t('security.trail.title')} text={t('security.trail.text')} flush={entries !== undefined && !isEmpty}>
      {entries === undefined ? (
        trail.error ? (
          <ErrorState title={t('security.trail.loadFailed')} error={trail.error} onRetry={() => void trail.refetch()} />
        ) : (
          <SkeletonRows rows={4} label={t('shell.loading')} />
        )
      ) : isEmpty ? (
        <p className={styles.none}>{t('security.trail.none')}</p>
      ) : (
        <>
          <SecurityRows>
            {(isWhole ? entries : entries.slice(0, firstEntries)).map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </SecurityRows>
          {trail.hasNextPage || (!isWhole && entries.length > firstEntries) ? (
            <div className={styles.more}>
              <ActionButton
                type="button"
                variant="subtle"
                pending={trail.isFetchingNextPage}
                pendingLabel={t('shell.loading')}
                onClick={() => {
                  if (isWhole) void trail.fetchNextPage();
                  setWhole(true);
                }}
              >
                {t('security.trail.more')}
              </ActionButton>
            </div>
          ) : null}
        </>
      )}
    </Panel>
  );
}

/** Events that a person should check if they did not cause them. */
const alarming: readonly TrailEntry['kind'][] = [
  'sign-in-failed',
  'reauthentication-failed',
  'mfa-failed',
  'mfa-disabled',
  'passkey-refused',
];

function EntryRow({ entry }: { entry: TrailEntry }) {
  const { t } = useTranslation();
  const deviceName = useDeviceName();
  const methodName = useMethodName();
  const { kind, device, ip, at, details } = entry;
  const provider = signInProviderOf(details.provider);
  const parts = [
    details.method === undefined ? null : methodName(String(details.method)),
    // No request was behind it: the operator did it.
    ip === null ? t('security.trail.operator') : deviceName(device),
    ip,
  ].filter(Boolean);
  return (
    <SecurityRow
      icon={alarming.includes(kind) ? IconAlertTriangle : IconHistory}
      title={t(`security.event.${kind}`, {
        ...details,
        service: provider && signInServices[provider],
      })}
      text={
        <>
          {parts.join(' · ')} · <RelativeTime at={at} />
        </>
      }
    />
  );
}
