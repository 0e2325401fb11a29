import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '#ui/text-field.tsx';
import { zoneChoices } from './preference-choices.ts';

/** The list that can be typed into is fetched behind the platform's own, which does until then. */
const SearchSelect = lazy(async () => ({ default: (await import('#ui/search-select.tsx')).SearchSelect }));

/** The zone a person lives in: a few first, then all of them. */
export function ZoneField({ zone, onZone }: { zone: string; onZone: (zone: string) => void }) {
  const { t } = useTranslation();
  const zones = useMemo(() => zoneChoices(zone), [zone]);
  const label = t('accounts.preferences.zone');
  return (
    <Suspense
      fallback={
        <SelectField label={label} data={zones} value={zone} onChange={(event) => onZone(event.currentTarget.value)} />
      }
    >
      <SearchSelect
        label={label}
        data={zones}
        value={zone}
        nothingFound={t('accounts.preferences.noZone')}
        onChange={onZone}
      />
    </Suspense>
  );
}
