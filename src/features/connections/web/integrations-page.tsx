import { useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { AccountCard } from './account-card.tsx';
import { LinkButton } from './link-button.ts';
import { useOAuthReturn } from './oauth-return.ts';
import { type Notice, OutcomeBanner } from './outcome-banner.tsx';
import { takeOutcome, useAccountCalendars, useAccounts, useMirroring, useWarningCounts } from './queries.ts';

const WarningsDialog = lazy(async () => ({ default: (await import('./settings-dialog.tsx')).WarningsDialog }));
const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }));
const SettingsDialog = lazy(async () => ({ default: (await import('./settings-dialog.tsx')).SettingsDialog }));

const CONNECTED_MS = 5_000;
const SYNCED_MS = 3_000;

/** The notice of the page. The first one is the outcome of a return from a provider. */
function useNotice() {
  const { t } = useTranslation();
  const back = useOAuthReturn();
  const known = back?.provider === 'google' || back?.provider === 'microsoft' ? back.provider : 'other';
  const provider = t(`connections.providers.${known}`);
  const [notice, setNotice] = useState<Notice | null>(
    back?.succeeded
      ? { succeeded: true, text: t('connections.connectedBack', { provider }), staysMs: CONNECTED_MS }
      : null,
  );
  const isAsked = useRef(back === null || back.succeeded);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    // anybody may write an address: its message is not shown
    void takeOutcome().then((message) =>
      setNotice({ succeeded: false, text: message ?? t('connections.connectFailed', { provider }) }),
    );
  }, [t, provider]);
  return [notice, setNotice] as const;
}

export function IntegrationsPage() {
  const { t } = useTranslation();
  // null until it is first wanted: its code comes with the first click
  const [changing, setChanging] = useState<boolean | null>(null);
  const [notice, setNotice] = useNotice();
  const warned = useWarningCounts();
  // the calendar page sends people here with the calendar in the address
  const navigate = useNavigate();
  const { hash } = useLocation();
  // screens without a calendar lead straight to the choice of a provider
  const [connecting, setConnecting] = useState<boolean | null>(hash === 'connect' || null);
  const warnedId = /^warnings-(.+)$/.exec(hash)?.[1];
  const showWarnings = (calendarId: string | null) =>
    void navigate({ to: '/integrations', hash: calendarId === null ? '' : `warnings-${calendarId}`, replace: true });
  const close = useCallback(() => setNotice(null), [setNotice]);
  const accounts = useAccounts();
  const calendars = useAccountCalendars();
  const mirroring = useMirroring();
  const failed = accounts.error ?? calendars.error;
  // not before it is known whether to offer mirroring, so that nothing moves
  const shown = !mirroring.isAwaited && accounts.data && calendars.data;
  const warnedCalendar = calendars.data?.calendars.find(({ calendarId }) => calendarId === warnedId);
  const empty = shown && accounts.data.accounts.length === 0;
  const present = calendars.data?.calendars.filter((calendar) => !calendar.removed) ?? [];
  // a person with all calendars in one account may want to mirror between them
  const canMirror =
    !mirroring.isSetUp &&
    new Set(present.map((calendar) => calendar.accountId)).size >= 2 &&
    present.some((calendar) => calendar.writable);
  const connect = () => setConnecting(true);
  const wasEmpty = useRef(empty);
  useEffect(() => {
    // The button of the empty state goes with it.
    if (wasEmpty.current && !empty && document.activeElement === document.body) focusPageTitle();
    wasEmpty.current = empty;
  }, [empty]);

  return (
    <Page
      title={t('connections.title')}
      subtitle={t('connections.subtitle')}
      actions={shown && !empty ? <Button onClick={connect}>{t('connections.connectAccount')}</Button> : null}
    >
      {notice ? <OutcomeBanner key={notice.text} notice={notice} onClose={close} /> : null}
      {!shown && failed ? (
        <Panel>
          <ErrorState
            title={t('connections.loadFailed')}
            error={failed}
            onRetry={() => {
              void accounts.refetch();
              void calendars.refetch();
            }}
          />
        </Panel>
      ) : null}
      {!shown && !failed ? (
        <Panel flush>
          <SkeletonRows rows={4} label={t('connections.loading')} />
        </Panel>
      ) : null}
      {empty ? (
        <Panel>
          <EmptyState
            art="calendars"
            title={t('connections.empty.title')}
            text={t('connections.empty.text')}
            action={<Button onClick={connect}>{t('connections.empty.action')}</Button>}
          />
        </Panel>
      ) : null}
      {shown && !empty ? (
        <>
          {canMirror ? (
            <Banner
              state="info"
              title={t('connections.mirror.title')}
              actions={
                <LinkButton to="/integrations/mirrors" hash="review" size="xs">
                  {t('connections.mirror.action')}
                </LinkButton>
              }
            >
              {t('connections.mirror.text')}
            </Banner>
          ) : null}
          <Banner
            state="info"
            title={t('connections.how.title')}
            actions={
              <>
                <LinkButton to="/integrations/mirrors" variant="default" size="xs">
                  {t('connections.how.mirrors')}
                </LinkButton>
                <Button variant="default" size="xs" onClick={() => setChanging(true)}>
                  {t('connections.how.settings')}
                </Button>
              </>
            }
          >
            {t('connections.how.text')}
          </Banner>
          <h2 className="hf-sr-only">{t('connections.accounts')}</h2>
          {accounts.data.accounts.map((account) => {
            const own = present.filter((calendar) => calendar.accountId === account.accountId);
            return (
              <AccountCard
                key={account.accountId}
                account={account}
                onSynced={() => setNotice({ succeeded: true, text: t('connections.syncedDone'), staysMs: SYNCED_MS })}
                calendars={calendars.data.calendars.filter(
                  (calendar) => calendar.accountId === account.accountId && !calendar.left,
                )}
                warned={warned}
                onWarnings={showWarnings}
                mirrorPart={mirroring.isSetUp && own.length > 0 ? mirroring.partOf(own) : 'mirrored'}
              />
            );
          })}
        </>
      ) : null}
      <Suspense>
        {connecting !== null ? (
          <ConnectDialog
            opened={connecting}
            onClose={() => {
              setConnecting(false);
              if (hash === 'connect') void navigate({ to: '/integrations', hash: '', replace: true });
            }}
            onSimulated={(provider) =>
              setNotice({
                succeeded: true,
                text: t('connections.simulatedDone', { provider: t(`connections.providers.${provider}`) }),
                staysMs: CONNECTED_MS,
              })
            }
          />
        ) : null}
      </Suspense>
      <Suspense>
        {warnedCalendar ? (
          <WarningsDialog
            calendar={{ id: warnedCalendar.calendarId, name: warnedCalendar.name }}
            onClose={() => showWarnings(null)}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {changing !== null ? <SettingsDialog opened={changing} onClose={() => setChanging(false)} /> : null}
      </Suspense>
    </Page>
  );
}
