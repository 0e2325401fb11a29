import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import {
  type OwnSession,
  useEndSession,
  useFeeds,
  useLeaveElsewhere,
  useOwnProfile,
  useSessions,
} from './security-queries.ts';
import { SecurityRow, SecurityRows } from './security-row.tsx';
import { useDeviceName } from './use-device-name.ts';
import { useMethodName } from './use-method-name.ts';

/** Where somebody is signed in, and the way to end that. */
export function SessionsPanel() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const sessions = useSessions();
  const leaveElsewhere = useLeaveElsewhere();
  const [isAsking, setAsking] = useState(false);
  const [endKeys, setEndKeys] = useState(false);
  // only administrators make API keys
  const mayHaveKeys = useOwnProfile().data?.role === 'admin';
  const hasFeeds = (useFeeds().data?.feeds.length ?? 0) > 0;
  const list = sessions.data?.sessions;
  // the current session comes first, because the others are compared with it
  const sorted = list?.toSorted((a, b) => Number(b.current) - Number(a.current));
  return (
    <Panel
      title={t('security.sessions.title')}
      text={t('security.sessions.text')}
      flush={list !== undefined}
      actions={
        list && list.length > 1 ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('security.sessions.leaveElsewhere')}
          </Button>
        ) : null
      }
    >
      {sorted ? (
        <SecurityRows>
          {sorted.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </SecurityRows>
      ) : sessions.error ? (
        <ErrorState
          title={t('security.sessions.loadFailed')}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
        />
      ) : (
        <SkeletonRows rows={2} label={t('shell.loading')} />
      )}
      <ConfirmDialog
        opened={isAsking}
        title={t('security.sessions.leaveTitle')}
        confirmLabel={t('security.sessions.leaveElsewhere')}
        pendingLabel={t('security.sessions.ending')}
        pending={leaveElsewhere.isPending}
        onConfirm={() =>
          leaveElsewhere.mutate(
            { endKeys },
            {
              onSuccess: ({ ended }) => {
                setAsking(false);
                showToast({ subject: 'sessions', state: 'ok', message: t('security.sessions.left', { count: ended }) });
              },
              onError: (error) => {
                setAsking(false);
                showToast({ subject: 'sessions', state: 'bad', message: errorText(error) });
              },
            },
          )
        }
        onClose={() => setAsking(false)}
      >
        <p>{t('security.sessions.leaveText')}</p>
        {mayHaveKeys || hasFeeds ? (
          <>
            <p>{t(mayHaveKeys ? 'security.sessions.keysStay' : 'security.sessions.feedsStay')}</p>
            <Checkbox
              label={t(mayHaveKeys ? 'security.password.endKeys' : 'security.password.endFeeds')}
              checked={endKeys}
              onChange={(event) => setEndKeys(event.currentTarget.checked)}
            />
          </>
        ) : null}
      </ConfirmDialog>
    </Panel>
  );
}

const phones = ['iPhone', 'iPad', 'Android'];

function SessionRow({ session }: { session: OwnSession }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const deviceName = useDeviceName();
  const methodName = useMethodName();
  const end = useEndSession();
  const { device, current, ip, method, lastSeenAt } = session;
  const name = deviceName(device);
  const icon = phones.includes(device.system ?? '')
    ? IconDeviceMobile
    : device.system === null
      ? IconTerminal2
      : IconDeviceDesktop;
  return (
    <SecurityRow
      icon={icon}
      title={name}
      mark={current ? <Tag>{t('security.sessions.current')}</Tag> : null}
      text={
        <>
          {[methodName(method), ip].filter(Boolean).join(' · ')} · <RelativeTime at={lastSeenAt} />
        </>
      }
      problem={end.error ? errorText(end.error) : null}
      actions={
        current ? null : (
          <ActionButton
            type="button"
            variant="subtle"
            aria-label={t('security.sessions.endNamed', { name })}
            pending={end.isPending}
            pendingLabel={t('security.sessions.ending')}
            onClick={() => end.mutate(session.id)}
          >
            {t('security.sessions.end')}
          </ActionButton>
        )
      }
    />
  );
}
