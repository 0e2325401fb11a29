import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { TwoLines } from '#ui/data-table.tsx';
import { Fact } from '../fact.tsx';
import { Join } from '../join.tsx';
import { AuditOf } from '../mirrors/audit-dialog.tsx';
import styles from '../mirrors/mirror-details.module.css';
import { MirrorPlace } from '../mirrors/mirror-place.tsx';
import { MirrorHealth, MirrorTools } from '../mirrors/mirror-tools.tsx';
import type { Repairs } from '../mirrors/use-repairs.ts';
import { openLink } from '../open-link.ts';
import type { MeetingRow } from '../queries.ts';
import { BookingHistory } from './booking-history.tsx';
import type { BookingSeries, BookingHistory as History, HostBooking } from './booking-queries.ts';
import type { BookingActs } from './use-booking-acts.ts';
import { useBookingWhen } from './use-booking-when.ts';
import { useUnmailed } from './use-unmailed.ts';

export interface BookingDetailsProps {
  booking: HostBooking;
  history: History;
  series: BookingSeries;
  /** Its row, where the list has it. */
  row: MeetingRow | null;
  /** Repairs of its blocks, if its row is loaded. */
  tools: { repairs: Repairs; onAudit: () => void } | null;
}

const tones = {
  held: 'pending',
  'awaiting-mail': 'pending',
  pending: 'pending',
  confirmed: 'ok',
  declined: 'idle',
  cancelled: 'idle',
  expired: 'idle',
} as const;

/** Everything about one booking: who, when, where, what they answered, and what happened to it. */
export function BookingDetails({ booking, history, series, row, tools }: BookingDetailsProps) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const unmailed = useUnmailed().before(booking);
  const { title, name, email, state, start_time: startMs, end_time: endMs, zone } = booking;
  const link = openLink(booking.join_url);
  return (
    <>
      <p className={styles.title}>{t('meetings.details.with', { title, invitee: name })}</p>
      <Join href={endMs > when.nowMs ? link?.href : undefined} />
      <dl className={styles.facts}>
        <Fact name={t('meetings.column.when')}>
          <TwoLines first={when.ofHost(startMs, endMs)} second={when.ofGuest(startMs, zone)} />
        </Fact>
        <Fact name={t('meetings.column.type')}>{title}</Fact>
        <Fact name={t('meetings.booking.state')}>
          <span className={styles.status}>
            <StateBadge state={tones[state]}>{t(`meetings.booking.states.${state}`)}</StateBadge>
            {series === null ? null : (
              <Tag>{t('meetings.booking.ofSeries', { number: series.number, dates: series.count })}</Tag>
            )}
            {booking.guest_no_show ? <Tag>{t('meetings.booking.guestNoShow')}</Tag> : null}
            {booking.host_no_show ? <Tag>{t('meetings.booking.hostNoShow')}</Tag> : null}
          </span>
          {booking.reason ? <p>{booking.reason}</p> : null}
        </Fact>
        {booking.hosts.length > 0 ? (
          <Fact name={t('meetings.team.hosts')}>{booking.hosts.map((host) => host.name).join(', ')}</Fact>
        ) : null}
        <Fact name={t('meetings.booking.guest')}>
          <TwoLines first={name} second={[email, booking.phone].filter(Boolean).join(' · ')} />
          {unmailed === null ? null : <p>{unmailed}</p>}
        </Fact>
        <Fact name={t('meetings.booking.place')}>
          {t(`meetings.booking.location.${booking.location.kind}`)}
          {placeOf(booking)}
          {link ? <p>{link.href}</p> : null}
          {awaitsLink(booking) && endMs > when.nowMs ? <p>{t('meetings.booking.noLink', { name })}</p> : null}
        </Fact>
        {booking.guests.length > 0 ? (
          <Fact name={t('meetings.booking.brings')}>
            {booking.guests.join(', ')}
            {booking.untold.length > 0 ? (
              <p>{t('meetings.booking.untold', { guests: booking.untold.join(', '), name })}</p>
            ) : null}
          </Fact>
        ) : null}
        {booking.seats > 1 ? (
          <Fact name={t('meetings.booking.seats')}>
            {t('meetings.booking.seat', { seat: booking.seat, seats: booking.seats })}
            <Others row={row} id={booking.booking_id} />
          </Fact>
        ) : null}
        {booking.answers.map(({ label, answer }) => (
          <Fact key={label} name={label}>
            {answer === true ? t('meetings.booking.ticked') : answer}
          </Fact>
        ))}
        <Fact name={t('meetings.booking.checked')}>
          <StateBadge state={booking.verified ? 'ok' : 'warn'}>
            {t(booking.verified ? 'meetings.booking.verified' : 'meetings.booking.unverified')}
          </StateBadge>
        </Fact>
        {row === null ? null : (
          <>
            <Fact name={t('meetings.details.origin')}>
              <MirrorPlace place={row.origin} />
            </Fact>
            <MirrorHealth row={row} />
          </>
        )}
      </dl>
      <div className={styles.section}>
        <h3>{t('meetings.booking.history')}</h3>
        {row?.booking?.has_event ? (
          <Link to="/calendar" search={{ day: row.date, event: row.event_id }}>
            {t('meetings.details.inCalendar')}
          </Link>
        ) : null}
      </div>
      <BookingHistory history={history} />
      {row?.booking?.has_event ? (
        <>
          <div className={styles.section}>
            <h3>{t('meetings.details.activity')}</h3>
          </div>
          <AuditOf id={row.event_id} full={false} />
          {tools === null ? null : (
            <div className={styles.tools}>
              <MirrorTools row={row} {...tools} />
            </div>
          )}
        </>
      ) : null}
    </>
  );
}

const awaitsLink = ({ location: { kind }, join_url: link, state }: HostBooking) =>
  state === 'confirmed' && link === null && (kind === 'google-meet' || kind === 'teams');

function placeOf({ location, phone }: HostBooking): ReactNode {
  if (location.kind === 'in-person') return location.address.trim() === '' ? null : `: ${location.address}`;
  if (location.kind !== 'phone') return null;
  const number = location.who_calls === 'guest' ? location.number : phone;
  return number ? `: ${number}` : null;
}

/** Other guests at that time. */
function Others({ row, id }: { row: MeetingRow | null; id: string }) {
  const others = (row?.booking?.comers ?? []).filter(({ booking_id }) => booking_id !== id);
  if (others.length === 0) return null;
  return (
    <ul className={styles.invitees}>
      {others.map(({ booking_id, name }) => (
        <li key={booking_id}>
          <Link to="." search={(before: Record<string, unknown>) => ({ ...before, booking: booking_id })}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

type ActionsProps = Pick<BookingDetailsProps, 'booking'> & {
  acts: BookingActs;
  onAct: (what: 'move' | 'cancel' | 'decline' | 'give') => void;
};

/** Actions that are possible now. */
export function BookingActions({ booking, acts, onAct }: ActionsProps) {
  const { t } = useTranslation();
  const nowMs = useNowMs();
  const { state, guest_no_show: guestStayed, host_no_show: hostStayed } = booking;
  const isOver = booking.end_time <= nowMs;
  const hasBegun = booking.start_time <= nowMs;
  if (state === 'pending') {
    return (
      <>
        <Button variant="default" onClick={() => onAct('decline')}>
          {t('meetings.booking.action.decline')}
        </Button>
        <Button variant="default" onClick={() => onAct('move')}>
          {t('meetings.action.reschedule')}
        </Button>
        <Button onClick={() => acts.confirm(booking)}>{t('meetings.booking.action.confirm')}</Button>
      </>
    );
  }
  if (state !== 'confirmed') return null;
  return (
    <>
      {hasBegun ? (
        <>
          <Button variant="default" onClick={() => acts.markNoShow(booking, 'guest', !guestStayed)}>
            {t(`meetings.booking.action.${guestStayed ? 'guestCame' : 'guestStayed'}`)}
          </Button>
          <Button variant="default" onClick={() => acts.markNoShow(booking, 'host', !hostStayed)}>
            {t(`meetings.booking.action.${hostStayed ? 'hostCame' : 'hostStayed'}`)}
          </Button>
        </>
      ) : null}
      {isOver ? null : (
        <>
          <Button variant="default" onClick={() => onAct('cancel')}>
            {t('meetings.booking.action.cancel')}
          </Button>
          <Button variant="default" onClick={() => onAct('move')}>
            {t('meetings.action.reschedule')}
          </Button>
          {booking.team_id === null ? null : (
            <Button variant="default" onClick={() => onAct('give')}>
              {t('meetings.give.open')}
            </Button>
          )}
        </>
      )}
    </>
  );
}
