import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { TwoLines } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/tabs.tsx';
import type { HostBooking } from '../bookings/booking-queries.ts';
import { useBookingWhen } from '../bookings/use-booking-when.ts';
import { LinkButton } from '../link-button.ts';
import styles from './team-bookings-page.module.css';
import { pageOf, type TeamScope, useTeamBookings, useTeamName } from './team-queries.ts';

const BookingDesk = lazy(async () => ({ default: (await import('../bookings/booking-desk.tsx')).BookingDesk }));

const scopes = ['upcoming', 'pending', 'past', 'ended'] as const;

/** Bookings of a team, with their hosts and the hosts who could take them over. */
export function TeamBookingsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { teamId } = useParams({ strict: false }) as { teamId: string };
  const search: { tab?: TeamScope; booking?: string } = useSearch({ strict: false });
  const scope = search.tab ?? 'upcoming';
  const name = useTeamName(teamId);
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined]);
  const found = useTeamBookings(teamId, scope, pages.at(-1));
  const rows = found.data?.bookings;
  const [giving, setGiving] = useState<string | null>(null);
  const stranded = rows?.filter((row) => row.hosts.some(({ left }) => left)).length ?? 0;
  const look = (booking: string | undefined) => void navigate({ to: '.', search: { ...search, booking } });
  const open = search.booking ?? giving;
  return (
    <Page
      title={t('meetings.team.title')}
      subtitle={name ?? ''}
      actions={
        <LinkButton to="/booking-links" variant="default">
          {t('meetings.team.types')}
        </LinkButton>
      }
    >
      {stranded > 0 ? <Banner state="warn">{t('meetings.team.stranded', { count: stranded })}</Banner> : null}
      <Tabs
        value={scope}
        onChange={(tab) => {
          setPages([undefined]);
          void navigate({ to: '.', search: { tab: tab as TeamScope } });
        }}
      >
        <TabList>
          {scopes.map((one) => (
            <Tab key={one} value={one}>
              {t(`meetings.team.scope.${one}`)}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={scope} pt="md">
          <Panel flush>
            {rows === undefined ? (
              found.error ? (
                <ErrorState title={t('meetings.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
              ) : (
                <SkeletonRows rows={5} label={t('meetings.loading')} />
              )
            ) : rows.length === 0 ? (
              <EmptyState art="meetings" title={t('meetings.team.empty')} text={t('meetings.team.emptyText')} />
            ) : (
              <ul className={styles.list} aria-label={t(`meetings.team.scope.${scope}`)}>
                {rows.map((booking) => (
                  <Row
                    key={booking.booking_id}
                    booking={booking}
                    onLook={() => look(booking.booking_id)}
                    onGive={() => setGiving(booking.booking_id)}
                  />
                ))}
              </ul>
            )}
          </Panel>
          {pages.length > 1 || rows?.length === pageOf ? (
            <div className={styles.pager}>
              {pages.length > 1 ? (
                <Button variant="default" onClick={() => setPages(pages.slice(0, -1))}>
                  {t('meetings.team.before')}
                </Button>
              ) : null}
              {rows?.length === pageOf ? (
                <Button variant="default" onClick={() => setPages([...pages, rows.at(-1)?.booking_id])}>
                  {t('meetings.team.after')}
                </Button>
              ) : null}
            </div>
          ) : null}
        </TabPanel>
      </Tabs>
      <Suspense>
        {open === null ? null : (
          <BookingDesk
            key={open}
            bookingId={open}
            row={null}
            dialog={search.booking === undefined ? 'give' : 'details'}
            onClose={() => (search.booking === undefined ? setGiving(null) : look(undefined))}
          />
        )}
      </Suspense>
    </Page>
  );
}

function Row({ booking, onLook, onGive }: { booking: HostBooking; onLook: () => void; onGive: () => void }) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const { name, email, title, start_time: startMs, end_time: endMs, zone, state, hosts } = booking;
  const isOpen = (state === 'confirmed' || state === 'pending') && endMs > when.nowMs;
  return (
    <li className={styles.row}>
      <span className={styles.cell}>
        <TwoLines first={t('meetings.details.with', { title, invitee: name })} second={email} />
      </span>
      <span className={styles.cell}>
        <TwoLines first={when.ofHost(startMs, endMs)} second={when.ofGuest(startMs, zone)} />
      </span>
      <span className={styles.cell}>
        <span className="hf-sr-only">{t('meetings.team.hosts')} </span>
        {hosts.map((host) => (
          <span key={host.user_id} className={styles.host}>
            {host.name === '' ? t('meetings.team.gone') : host.name}
            {host.left ? <StateBadge state="warn">{t('meetings.team.left')}</StateBadge> : null}
          </span>
        ))}
      </span>
      <span className={styles.actions}>
        <Button variant="subtle" size="xs" onClick={onLook}>
          {t('meetings.action.view')}
          <span className="hf-sr-only"> {name}</span>
        </Button>
        {isOpen ? (
          <Button variant="default" size="xs" onClick={onGive}>
            {t('meetings.give.open')}
            <span className="hf-sr-only"> {name}</span>
          </Button>
        ) : null}
      </span>
    </li>
  );
}
