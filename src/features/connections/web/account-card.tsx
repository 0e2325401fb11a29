import { IconExternalLink, IconLink, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button, ButtonAnchor } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { ProviderMark } from '#ui/provider-mark.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './account-card.module.css';
import type { LinkPlace } from './booking-link-dialog.tsx';
import { CalendarRow } from './calendar-row.tsx';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { type Account, type AccountCalendar, type MirrorPart, useSyncAccount } from './queries.ts';
import { ReconnectForm } from './reconnect-form.tsx';
import { startAddress } from './start-address.ts';
import { conditionOf, StatusLine } from './status-line.tsx';

const BookingLinkDialog = lazy(async () => ({
  default: (await import('./booking-link-dialog.tsx')).BookingLinkDialog,
}));

export function AccountCard({
  account,
  calendars,
  mirrorPart,
  warned,
  onSynced,
  onWarnings,
}: {
  account: Account;
  calendars: AccountCalendar[];
  /** The part of all its calendars together. */
  mirrorPart: MirrorPart;
  /** By calendar. */
  warned: ReadonlyMap<string, { warnings: number; unread: number }>;
  onSynced: () => void;
  onWarnings: (calendarId: string) => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const sync = useSyncAccount();
  const [asking, setAsking] = useState(false);
  const [linked, setLinked] = useState<LinkPlace | null>(null);
  const condition = conditionOf(account);
  const isAway = condition === 'disconnecting' || condition === 'reconnect';

  const syncNow = () =>
    sync.mutate(account.accountId, {
      onSuccess: (done) => {
        if (done) onSynced();
      },
      onError: (error) =>
        showToast({
          subject: `sync ${account.accountId}`,
          state: 'bad',
          message: t('connections.syncFailed', { reason: errorText(error) }),
        }),
    });

  return (
    <Panel
      flush
      title={
        <span className={styles.name}>
          {account.email} <StatusLine account={account} />
        </span>
      }
      text={<Kind account={account} />}
      actions={
        condition === 'disconnecting' ? null : (
          <>
            {condition === 'reconnect' || !calendars.some((calendar) => calendar.writable) ? null : (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconLink size={15} aria-hidden />}
                onClick={() => setLinked({ kind: 'account', id: account.accountId, name: account.email })}
              >
                {t('connections.link.generateForAccount')}
                <span className="hf-sr-only"> {account.email}</span>
              </Button>
            )}
            {condition === 'reconnect' ? null : (
              <ActionButton
                type="button"
                variant="default"
                size="xs"
                leftSection={<IconRefresh size={15} aria-hidden />}
                pending={condition === 'syncing' || sync.isPending}
                pendingLabel={t('connections.status.syncing')}
                onClick={syncNow}
              >
                {condition === 'never' ? t('connections.syncEvents') : t('connections.syncNow')}
                <span className="hf-sr-only"> {account.email}</span>
              </ActionButton>
            )}
            <Button variant="subtle" color="gray" size="xs" onClick={() => setAsking(true)}>
              {t('connections.disconnect')}
              <span className="hf-sr-only"> {account.email}</span>
            </Button>
          </>
        )
      }
    >
      {condition === 'disconnecting' ? (
        <div className={styles.notice}>
          <Banner state="working" title={t('connections.disconnecting.title')}>
            {t('connections.disconnecting.text')}
          </Banner>
        </div>
      ) : null}
      {condition === 'reconnect' ? (
        <div className={styles.notice}>
          {account.reconnectUrl ? (
            <Banner
              state="bad"
              title={t('connections.reconnect.titleOAuth')}
              actions={
                <ButtonAnchor size="xs" href={startAddress(account.reconnectUrl)}>
                  {t('connections.reconnect.oauth')}
                  <span className="hf-sr-only"> {account.email}</span>
                </ButtonAnchor>
              }
            >
              <p>{account.message ?? t('connections.reconnect.textOAuth')}</p>
            </Banner>
          ) : (
            <Banner state="bad" title={t('connections.reconnect.title')}>
              <p>{account.message ?? t('connections.reconnect.text')}</p>
              {account.canReconnectWithPassword ? <ReconnectForm account={account} /> : null}
            </Banner>
          )}
        </div>
      ) : null}
      {condition === 'error' ? (
        <div className={styles.notice}>
          <Banner state="bad" title={t('connections.error.title')}>
            <p>{account.message ?? t('connections.error.text')}</p>
            {account.lastSyncedAt ? (
              <p>
                {t('connections.error.lastGood')} <RelativeTime at={account.lastSyncedAt} />
              </p>
            ) : null}
          </Banner>
        </div>
      ) : null}
      {mirrorPart !== 'mirrored' && !isAway ? (
        <p className={styles.outside}>
          {t(`connections.mirror.${mirrorPart}`)}{' '}
          <Link to="/integrations/mirrors">
            {t(mirrorPart === 'outside' ? 'connections.mirror.include' : 'connections.mirror.openGroup')}
            <span className="hf-sr-only"> {account.email}</span>
          </Link>
        </p>
      ) : null}
      {calendars.length === 0 ? <p className={styles.none}>{t('connections.noCalendars')}</p> : null}
      <ul className={styles.calendars} aria-label={t('connections.calendarsOf', { account: account.email })}>
        {calendars.map((calendar) => (
          <CalendarRow
            key={calendar.calendarId}
            calendar={calendar}
            frozen={condition === 'disconnecting'}
            // said once, for all of them
            quiet={condition === 'reconnect'}
            warned={warned.get(calendar.calendarId)}
            onWarnings={() => onWarnings(calendar.calendarId)}
            onLink={
              isAway || !calendar.writable || calendar.removed
                ? null
                : () => setLinked({ kind: 'calendar', id: calendar.calendarId, name: calendar.name })
            }
          />
        ))}
      </ul>
      <Suspense>{linked ? <BookingLinkDialog place={linked} onClose={() => setLinked(null)} /> : null}</Suspense>
      <DisconnectDialog account={account} calendars={calendars} opened={asking} onClose={() => setAsking(false)} />
    </Panel>
  );
}

/** Which provider, how changes come from there, and where a simulated account can be looked at. */
function Kind({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { following, simulatedPage } = account;
  const name = account.provider === 'google' ? 'google' : 'microsoft';
  const own = account.profile === 'generic' || account.profile === 'simulated' ? account.provider : account.profile;
  return (
    <span className={styles.kind}>
      <ProviderMark provider={own} />
      {account.profile === 'simulated' ? <Tag>{t('connections.simulate.tag')}</Tag> : null}
      {account.needsReconnect ? null : (
        <span className={styles.following} title={t(`connections.following.${following}Text`)}>
          {t(`connections.following.${following}`)}
          <span className="hf-sr-only">: {t(`connections.following.${following}Text`)}</span>
        </span>
      )}
      {simulatedPage ? (
        <a className={styles.page} href={simulatedPage} target="_blank" rel="noreferrer">
          {t(`connections.simulate.open.${name}`)} <IconExternalLink size={13} aria-hidden />
        </a>
      ) : null}
    </span>
  );
}
