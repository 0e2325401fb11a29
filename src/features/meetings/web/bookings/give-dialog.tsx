import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useReassign, useTakers } from '../team/team-queries.ts';
import type { HostBooking } from './booking-queries.ts';
import styles from './give-dialog.module.css';
import { useBookingWhen } from './use-booking-when.ts';
import { useUnmailed } from './use-unmailed.ts';

const whys = ['outside-hours', 'busy', 'booked', 'held', 'stale-calendar'] as const;
const whyOf = (reason: string) => whys.find((why) => why === reason) ?? 'other';

/** Dialog that transfers a team's booking to a named free host, or to the next by the rule. */
export function GiveDialog({ booking, onClose }: { booking: HostBooking; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const when = useBookingWhen();
  const unmailed = useUnmailed();
  const found = useTakers(booking.booking_id);
  const give = useReassign(booking.booking_id);
  const choice = useId();
  const { name, title, start_time: startMs, end_time: endMs } = booking;
  const hosts = found.data?.hosts ?? [];
  const [chosenFrom, setFrom] = useState<string>();
  const from = chosenFrom ?? booking.hosts.find((one) => one.left)?.user_id ?? hosts[0]?.user_id;
  const [to, setTo] = useState<string | null>(null);
  const takers = found.data?.takers ?? [];
  const isAnyFree = takers.some(({ free }) => free);
  const submit = () => {
    if (from === undefined || !isAnyFree) return;
    give.mutate(
      { to, from, sequence: booking.sequence },
      {
        onSuccess: ({ booking: given }) => {
          const names = given.hosts.map((one) => one.name).join(', ');
          showToast({
            subject: `booking ${booking.booking_id}`,
            state: 'ok',
            message: unmailed.after(booking, t('meetings.give.done', { title, name, hosts: names })),
          });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('meetings.give.title', { title, name })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('meetings.give.keep')}
          </Button>
          <ActionButton
            type="button"
            pending={give.isPending}
            pendingLabel={t('meetings.give.pending')}
            aria-disabled={!isAnyFree || undefined}
            onClick={submit}
          >
            {t('meetings.give.confirm')}
          </ActionButton>
        </>
      }
    >
      <div className={styles.form}>
        <p className={styles.text}>{when.ofHost(startMs, endMs)}</p>
        {found.data === undefined ? (
          found.error ? (
            <ErrorState
              title={t('meetings.booking.loadFailed')}
              error={found.error}
              onRetry={() => void found.refetch()}
            />
          ) : (
            <SkeletonRows rows={3} label={t('meetings.loading')} />
          )
        ) : (
          <>
            {hosts.length > 1 ? (
              <SelectField
                label={t('meetings.give.from')}
                value={from ?? ''}
                data={hosts.map((one) => ({ value: one.user_id, label: one.name }))}
                onChange={(event) => setFrom(event.currentTarget.value)}
              />
            ) : null}
            <fieldset className={styles.choices}>
              <legend>{t('meetings.give.to')}</legend>
              {isAnyFree ? (
                <label className={styles.choice}>
                  <input type="radio" name={choice} checked={to === null} onChange={() => setTo(null)} />
                  <span>{t('meetings.give.next', { name: takers[0]?.name })}</span>
                </label>
              ) : (
                <p className={styles.text}>{t('meetings.give.nobody')}</p>
              )}
              {takers.map((taker) => (
                <label key={taker.user_id} className={styles.choice} data-busy={!taker.free || undefined}>
                  <input
                    type="radio"
                    name={choice}
                    disabled={!taker.free}
                    checked={to === taker.user_id}
                    onChange={() => setTo(taker.user_id)}
                  />
                  <span>
                    {taker.name}
                    {taker.free ? null : (
                      <span className={styles.why}>
                        {[...new Set(taker.reasons.map(whyOf))].map((why) => t(`meetings.give.why.${why}`)).join(', ')}
                      </span>
                    )}
                  </span>
                </label>
              ))}
            </fieldset>
            <p className={styles.text}>{unmailed.before(booking) ?? t('meetings.give.told', { name })}</p>
          </>
        )}
        {give.isError ? (
          <p className={styles.refused} role="alert">
            {errorText(give.error)}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
