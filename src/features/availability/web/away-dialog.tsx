import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { nowMs } from '#ui/clock.ts';
import { DateField } from '#ui/dates/when-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { useAddDaysOff, useAddTravel } from './queries.ts';
import styles from './small-form.module.css';
import { ZoneSelect } from './zone-select.tsx';

export interface AwayDialogProps {
  kind: 'off' | 'travel';
  title: string;
  onClose: () => void;
}

export function AwayDialog({ kind, title, onClose }: AwayDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const own = usePreferences().zone;
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [today] = useState(() =>
    Temporal.Instant.fromEpochMilliseconds(nowMs()).toZonedDateTimeISO(own).toPlainDate().toString(),
  );
  const [first, setFirst] = useState(today);
  const [last, setLast] = useState(today);
  const [reason, setReason] = useState('');
  const [zone, setZone] = useState(device);
  const addDays = useAddDaysOff();
  const addTravel = useAddTravel();
  const add = kind === 'off' ? addDays : addTravel;
  const save = () => {
    const days = { first_day: first, last_day: last };
    if (kind === 'off') addDays.mutate({ ...days, reason: reason.trim() }, { onSuccess: onClose });
    else addTravel.mutate({ ...days, zone }, { onSuccess: onClose });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('availability.cancel')}
          </Button>
          <ActionButton form="away" pending={add.isPending} pendingLabel={t('availability.saving')}>
            {t('availability.away.save')}
          </ActionButton>
        </>
      }
    >
      <form
        onInput={forgetRefusal(add)}
        id="away"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (last >= first) save();
        }}
      >
        <div className={styles.pair}>
          <DateField
            label={t('availability.away.first')}
            description={kind === 'off' ? t('availability.off.night') : undefined}
            value={first}
            required
            data-autofocus
            onValue={(typed) => {
              const day = typed || first;
              setFirst(day);
              if (last < day) setLast(day);
            }}
          />
          <DateField
            label={t('availability.away.last')}
            value={last}
            min={first}
            required
            error={last < first ? t('availability.away.backwards') : undefined}
            onValue={(value) => setLast(value || last)}
          />
        </div>
        {kind === 'off' ? (
          <TextField
            label={t('availability.off.reason')}
            description={t('availability.off.reasonText')}
            value={reason}
            maxLength={200}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ) : (
          <ZoneSelect label={t('availability.travel.zone')} zone={zone} onZone={setZone} />
        )}
        {add.error ? (
          <p className={styles.error} role="alert">
            {errorText(add.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
