import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { TwoLines } from '#ui/data-table.tsx';
import { DateField } from '#ui/dates/when-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatDay } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import type { TeamTypes } from './queries.ts';
import styles from './stand-in-dialog.module.css';
import { type StandIns, useAddStandIn, useRemoveStandIn, useStandIns } from './team-queries.ts';

/** Stand-ins for absent members of a team. */
export function StandInDialog({ team, onClose }: { team: TeamTypes; onClose: () => void }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const list = useStandIns(team.team_id);
  const remove = useRemoveStandIn(team.team_id);
  const errorText = useErrorText();
  const day = (ms: number) => formatDay(ms, preferences, nowMs);
  const rows = list.data?.stand_ins;
  return (
    <Dialog opened onClose={onClose} title={t('booking.standIn.title', { team: team.name })}>
      <div className={styles.parts}>
        <p className={styles.text}>{t('booking.standIn.text')}</p>
        {rows === undefined ? (
          list.error ? (
            <ErrorState title={t('booking.loadFailed')} error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <SkeletonRows rows={2} label={t('booking.loading')} />
          )
        ) : (
          <ul className={styles.list} aria-label={t('booking.standIn.list')}>
            {rows.length === 0 ? <li className={styles.text}>{t('booking.standIn.none')}</li> : null}
            {rows.map(({ id, name, to_name: to, from, until, can_end: canEnd }) => (
              <li key={id} className={styles.row}>
                <TwoLines
                  first={t('booking.standIn.one', { name, to })}
                  second={t('booking.standIn.span', { from: day(from), until: day(until - 1) })}
                />
                {canEnd ? (
                  <Button variant="subtle" size="xs" onClick={() => remove.mutate(id)}>
                    {t('booking.standIn.end')}
                    <span className="hf-sr-only"> {name}</span>
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        {remove.isError ? (
          <p className={styles.refused} role="alert">
            {errorText(remove.error)}
          </p>
        ) : null}
        {list.data ? <AddStandIn team={team} others={list.data.colleagues} /> : null}
      </div>
    </Dialog>
  );
}

function AddStandIn({ team, others }: { team: TeamTypes; others: StandIns['colleagues'] }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { zone } = usePreferences();
  const nowMs = useNowMs();
  const add = useAddStandIn(team.team_id);
  const formId = useId();
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  const [to, setTo] = useState('');
  const [first, setFirst] = useState(() => today.toString());
  const [last, setLast] = useState(() => today.add({ days: 6 }).toString());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const colleague = others.find((one) => one.user_id === (to || others[0]?.user_id));
    if (colleague === undefined || first === '' || last === '') return;
    add.mutate({
      to_user_id: colleague.user_id,
      from: msOf(first, zone),
      until: msOf(Temporal.PlainDate.from(last).add({ days: 1 }).toString(), zone),
    });
  };
  if (others.length === 0) return null;
  return (
    <form onInput={forgetRefusal(add)} id={formId} className={styles.form} onSubmit={submit}>
      <SelectField
        label={t('booking.standIn.to')}
        value={to || (others[0]?.user_id ?? '')}
        data={others.map(({ user_id: value, name: label }) => ({ value, label }))}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <DateField required label={t('booking.standIn.first')} value={first} onValue={setFirst} />
      <DateField
        required
        label={t('booking.standIn.last')}
        value={last}
        min={first}
        error={add.isError ? errorText(add.error) : null}
        onValue={setLast}
      />
      <ActionButton form={formId} pending={add.isPending} pendingLabel={t('booking.saving')}>
        {t('booking.standIn.add')}
      </ActionButton>
    </form>
  );
}

const msOf = (day: string, zone: string) => Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
