import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { emptyLocation, type LocationKind, locationKinds } from './location-kinds.ts';
import { useCalendars } from './queries.ts';
import type { SectionProps } from './type-draft.ts';

/** Where it takes place; a meeting that a provider makes needs an account there. */
export function LocationFields({ settings, onChange, errors }: SectionProps) {
  const { t } = useTranslation();
  const { canHold } = useCalendars();
  const { location } = settings;
  const offered = locationKinds.filter((one) => one.kind === location.kind || canHold(one));
  const refused = Object.entries(errors).find(([path]) => path.startsWith('settings.location'))?.[1];
  return (
    <>
      <SelectField
        label={t('booking.field.place')}
        value={location.kind}
        data={offered.map(({ kind }) => ({ value: kind, label: t(`booking.place.${kind}`) }))}
        error={refused}
        onChange={(event) => onChange({ location: emptyLocation(event.currentTarget.value as LocationKind) })}
      />
      {location.kind === 'in-person' ? (
        <TextField
          label={t('booking.field.address')}
          maxLength={500}
          value={location.address}
          onChange={(event) => onChange({ location: { ...location, address: event.currentTarget.value } })}
        />
      ) : null}
      {location.kind === 'link' ? (
        <TextField
          type="url"
          label={t('booking.field.url')}
          maxLength={2_000}
          value={location.url}
          onChange={(event) => onChange({ location: { ...location, url: event.currentTarget.value } })}
        />
      ) : null}
      {location.kind === 'phone' ? (
        <SelectField
          label={t('booking.field.whoCalls')}
          value={location.who_calls}
          data={(['host', 'guest'] as const).map((one) => ({ value: one, label: t(`booking.whoCalls.${one}`) }))}
          onChange={(event) =>
            onChange({ location: { ...location, who_calls: event.currentTarget.value as 'host' | 'guest' } })
          }
        />
      ) : null}
      {location.kind === 'phone' && location.who_calls === 'guest' ? (
        <TextField
          type="tel"
          label={t('booking.field.number')}
          maxLength={40}
          value={location.number}
          onChange={(event) => onChange({ location: { ...location, number: event.currentTarget.value } })}
        />
      ) : null}
    </>
  );
}
