import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Offset, offsetUnits, type Trigger } from '#features/workflows/rules/definition.ts';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { timingText } from './describe-workflow.ts';
import styles from './workflow-editor.module.css';

const usual: readonly Offset[] = [
  { amount: 0, unit: 'minutes' },
  { amount: 15, unit: 'minutes' },
  { amount: 1, unit: 'hours' },
  { amount: 24, unit: 'hours' },
];
const textOf = ({ amount, unit }: Offset) => `${amount} ${unit}`;

/** When it happens: one of the usual times, or any other. */
export function TimingField({
  trigger,
  value,
  error,
  onChange,
}: {
  trigger: Trigger;
  value: Offset;
  error?: string | undefined;
  onChange: (offset: Offset) => void;
}) {
  const { t } = useTranslation();
  const isUsual = usual.some((one) => textOf(one) === textOf(value));
  const [isOther, setOther] = useState(!isUsual);
  return (
    <>
      <SelectField
        label={t('workflows.field.timing')}
        value={isOther ? 'other' : textOf(value)}
        error={isOther ? null : error}
        data={[
          ...usual.map((one) => ({ value: textOf(one), label: timingText(one, trigger, t) })),
          { value: 'other', label: t('workflows.timing.other') },
        ]}
        onChange={(event) => {
          const next = usual.find((one) => textOf(one) === event.currentTarget.value);
          setOther(next === undefined);
          if (next !== undefined) onChange(next);
        }}
      />
      {isOther ? (
        <div className={styles.pair}>
          <TextField
            type="number"
            inputMode="numeric"
            min={0}
            max={10_080}
            label={t('workflows.field.amount')}
            value={String(value.amount)}
            error={error}
            onChange={(event) =>
              onChange({ ...value, amount: Math.max(0, Math.round(Number(event.currentTarget.value))) })
            }
          />
          <SelectField
            label={t('workflows.field.unit')}
            value={value.unit}
            data={offsetUnits.map((unit) => ({ value: unit, label: t(`workflows.unit.${unit}`) }))}
            onChange={(event) => onChange({ ...value, unit: event.currentTarget.value as Offset['unit'] })}
          />
        </div>
      ) : null}
    </>
  );
}
