import { useTranslation } from 'react-i18next';
import { SelectField } from '#ui/text-field.tsx';
import type { CalendarRow } from '../grid-event.ts';

/** Where an event goes first: the first visible calendar that can be written, else any that can. */
export function firstTarget(calendars: readonly CalendarRow[]): CalendarRow | undefined {
  const writable = calendars.filter((calendar) => calendar.writable);
  return writable.find((calendar) => calendar.visible) ?? writable[0];
}

/** Which calendar an event goes to: badge, name and address of each that can be written. */
export function CalendarField({
  calendars,
  value,
  onChange,
  error,
  hideLabel = false,
}: {
  calendars: readonly CalendarRow[];
  value: string;
  onChange: (calendarId: string) => void;
  error?: string | undefined;
  hideLabel?: boolean;
}) {
  const { t } = useTranslation();
  const label = t('editor.calendar');
  const options = calendars
    // The one it is in stays named, whatever became of it.
    .filter((calendar) => calendar.writable || calendar.id === value)
    .map((calendar) => ({
      value: calendar.id,
      label: [`${calendar.badge} · ${calendar.name}`, calendar.email].filter(Boolean).join(' — '),
    }));
  return (
    <SelectField
      {...(hideLabel ? { 'aria-label': label } : { label })}
      value={value}
      data={options}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
