import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChoiceField } from './choice-field.tsx';

/** The first of the list, under the names that their people give them. */
const named = {
  'America/New_York': 'Eastern',
  'America/Chicago': 'Central',
  'America/Denver': 'Mountain',
  'America/Los_Angeles': 'Pacific',
};

/** Every zone of this machine, the usual ones first. */
export function ZoneSelect({ label, zone, onZone }: { label: string; zone: string; onZone: (zone: string) => void }) {
  const { t } = useTranslation();
  const choices = useMemo(() => zoneChoices(zone), [zone]);
  return (
    <ChoiceField
      label={label}
      value={zone}
      data={choices}
      nothingFound={t('availability.zone.none')}
      onChange={onZone}
      matches={(text, typed) => text.toLowerCase().includes(typed.trim().toLowerCase().replaceAll('_', ' '))}
    />
  );
}

function zoneChoices(current: string): { value: string; label: string }[] {
  const names = new Set([...Object.keys(named), 'UTC', current, ...Intl.supportedValuesOf('timeZone')]);
  const nameOf = new Map(Object.entries(named));
  return [...names].map((value) => {
    const own = nameOf.get(value);
    const plain = value.replaceAll('_', ' ');
    return { value, label: own === undefined ? plain : `${own} (${plain})` };
  });
}
