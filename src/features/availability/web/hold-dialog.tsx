import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type HoldKind, holdKinds, type Rank } from '#features/availability/rules/hold-rules.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { useSetHold } from './queries.ts';
import styles from './small-form.module.css';
import { useHoldWords } from './use-hold-words.ts';

export interface HoldDialogProps {
  calendars: readonly { id: string; name: string; email: string }[];
  onClose: () => void;
}

/** The initial condition of a new rule. */
const firstValue: Partial<Record<HoldKind, string>> = { 'title-prefix': 'Hold:', color: '#f59f00' };

export function HoldDialog({ calendars, onClose }: HoldDialogProps) {
  const { t } = useTranslation();
  const words = useHoldWords();
  const errorText = useErrorText();
  const set = useSetHold();
  const [kind, setKind] = useState<HoldKind>('title-prefix');
  const [value, setValue] = useState(firstValue[kind] ?? '');
  const [rank, setRank] = useState<Rank>(4);
  const choose = (next: HoldKind) => {
    set.reset();
    setKind(next);
    setValue(next === 'calendar' ? (calendars[0]?.id ?? '') : (firstValue[next] ?? ''));
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('availability.holds.newTitle')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('availability.cancel')}
          </Button>
          <ActionButton form="hold" pending={set.isPending} pendingLabel={t('availability.saving')}>
            {t('availability.holds.save')}
          </ActionButton>
        </>
      }
    >
      <form
        id="hold"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate({ kind, value, rank }, { onSuccess: onClose });
        }}
      >
        <SelectField
          label={t('availability.holds.what')}
          value={kind}
          data={holdKinds.map((one) => ({ value: one, label: words.kinds[one] }))}
          data-autofocus
          onChange={(event) => choose(event.currentTarget.value as HoldKind)}
        />
        {kind === 'calendar' ? (
          <SelectField
            label={t('availability.holds.calendar')}
            value={value}
            data={calendars.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        ) : kind === 'tentative' || kind === 'focus' ? null : (
          <TextField
            label={words.kinds[kind]}
            type={kind === 'color' ? 'color' : 'text'}
            value={value}
            maxLength={100}
            required
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        <SelectField
          label={t('availability.holds.rankLabel')}
          description={t('availability.holds.rankText')}
          value={String(rank)}
          data={([1, 2, 3, 4] as const).map((one) => ({ value: String(one), label: words.ranks[one] }))}
          onChange={(event) => setRank(Number(event.currentTarget.value) as Rank)}
        />
        {set.error ? (
          <p className={styles.error} role="alert">
            {errorText(set.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
