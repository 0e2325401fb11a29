import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainSelect } from '#ui/plain-field.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './fields.module.css';

const units = { minutes: 1, hours: 60, days: 1_440 } as const;
type Unit = keyof typeof units;

/** A length of time as a number and its unit; its value is minutes. */
export function MinutesField({
  label,
  description,
  value,
  max,
  error,
  onChange,
}: {
  label: string;
  description?: string;
  value: number;
  /** Minutes. */
  max: number;
  error?: string | undefined;
  onChange: (minutes: number) => void;
}) {
  const { t } = useTranslation();
  const unitId = useId();
  const [unit, setUnit] = useState<Unit>(() => unitOf(value));
  const size = units[unit];
  const tooMuch = value > max ? t('booking.field.tooMuch') : undefined;
  return (
    <TextField
      type="number"
      inputMode="numeric"
      label={label}
      description={description}
      min={0}
      step={1}
      value={String(value / size)}
      error={error ?? tooMuch}
      rightSectionWidth={112}
      rightSection={
        <PlainSelect
          id={unitId}
          className={styles.unit ?? ''}
          aria-label={t('booking.field.unit', { label })}
          value={unit}
          data={(['minutes', 'hours', 'days'] as const).map((one) => ({
            value: one,
            label: t(`booking.unit.${one}`, { count: value / size }),
          }))}
          onChange={(event) => {
            const next = event.currentTarget.value as Unit;
            onChange((value / size) * units[next]);
            setUnit(next);
          }}
        />
      }
      onChange={(event) => onChange(Math.max(0, Math.round(Number(event.currentTarget.value) * size)))}
    />
  );
}

const unitOf = (value: number): Unit =>
  value > 0 && value % units.days === 0 ? 'days' : value > 0 && value % units.hours === 0 ? 'hours' : 'minutes';
