import { IconAlertTriangle, IconHourglassLow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { holdsContract } from '#features/holds/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatPlainDate, formatTime } from '#ui/format.ts';
import { useHoldDesk } from '#ui/hold-desk.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { GridEvent } from '../grid-event.ts';
import styles from './event-actions.module.css';

const api = createClient(holdsContract);
const rankNames = { 1: 'critical', 2: 'high', 3: 'normal', 4: 'low' } as const;

/** Facts about a tentative hold: its source, and the bookings that replace it. */
export function HoldFacts({
  event,
  leaving,
}: {
  event: GridEvent;
  leaving: (act: () => void) => (press: MouseEvent<HTMLElement>) => void;
}) {
  const { t } = useTranslation();
  const open = useHoldDesk();
  const reading = usePreferences();
  const nowMs = useNowMs();
  const { data } = useQuery({
    queryKey: ['holds', 'list'],
    queryFn: ({ signal }) => api.listHolds(undefined, { signal }),
    staleTime: 60_000,
  });
  const hold = data?.holds.find(({ event_id }) => event_id === event.itemId);
  const over = data?.overbooked.filter(
    (one) => one.event_id === event.id && one.start_time < event.endMs && event.startMs < one.end_time,
  );
  const booked = over?.map((one) => (
    <p key={one.booking_id} className={styles.fact}>
      <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
      <Link to="/meetings" search={{ booking: one.booking_id }}>
        {t('holds.facts.overbooked', { title: one.title, guests: one.guests.join(', ') })}
      </Link>
    </p>
  ));
  if (hold === undefined) return booked;
  const { range, expires_at: expiresMs, harden_before_minutes: minutes } = hold;
  const hours = minutes === null || minutes % 60 !== 0 ? null : minutes / 60;
  const before =
    minutes === null
      ? null
      : hours === null
        ? t('holds.minutes', { count: minutes })
        : hours % 24 === 0
          ? t('holds.days', { count: hours / 24 })
          : t('holds.hours', { count: hours });
  const facts = [
    t(`holds.rank.${rankNames[hold.rank_now]}`),
    range.kind === 'days'
      ? t('holds.range.between', {
          first: formatPlainDate(range.first, reading, nowMs),
          last: formatPlainDate(range.last, reading, nowMs),
        })
      : t(`holds.range.${range.kind}`),
    expiresMs === null
      ? null
      : t('holds.facts.expires', {
          when: `${formatDay(expiresMs, reading, nowMs)}, ${formatTime(expiresMs, reading)}`,
        }),
    before === null ? null : t('holds.facts.harden', { before }),
  ].filter((fact) => fact !== null);
  return (
    <>
      <p className={styles.fact}>
        <IconHourglassLow size={15} stroke={1.8} aria-hidden />
        <span>
          {t('holds.facts.hold')}: {facts.join(' · ')}
        </span>
      </p>
      {booked}
      {open === null ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconHourglassLow size={15} stroke={1.8} aria-hidden />}
          onClick={leaving(() => open({ kind: 'edit', holdId: hold.hold_id }))}
        >
          {t('holds.facts.edit')}
        </Button>
      )}
    </>
  );
}
