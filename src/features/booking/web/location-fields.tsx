import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { emptyLocation, type LocationKind, lacking, locationKinds } from './location-kinds.ts';
import { type EventType, useCalendars } from './queries.ts';
import { useTeamConferences } from './team-queries.ts';
import type { SectionProps } from './type-draft.ts';

/** Where it takes place; a meeting that a provider makes needs an account there. */
export function LocationFields({
  settings,
  onChange,
  errors,
  teamId,
  hostIds,
}: SectionProps & {
  teamId: EventType['team_id'];
  /** Empty: every member of the team. */
  hostIds: readonly string[];
}) {
  const { t } = useTranslation();
  const { canHold, isLoaded } = useCalendars();
  const members = useTeamConferences(teamId);
  const hosts = (members ?? []).filter((one) => hostIds.length === 0 || hostIds.includes(one.user_id));
  const { location } = settings;
  const offered = locationKinds.filter(
    (one) =>
      one.kind === location.kind ||
      one.provider === undefined ||
      (teamId === null ? canHold(one) : lacking(hosts, one.kind).length < hosts.length),
  );
  const ownKind = locationKinds.find((one) => one.kind === location.kind);
  const unable = lacking(hosts, location.kind);
  const isUnable = teamId === null && isLoaded && ownKind !== undefined && !canHold(ownKind);
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
      {unable.length > 0 ? (
        <Banner state="warn" role="status">
          {t('booking.hosts.lacking', { names: unable.join(', '), place: t(`booking.place.${location.kind}`) })}
        </Banner>
      ) : null}
      {isUnable && (location.kind === 'google-meet' || location.kind === 'teams') ? (
        <Banner state="warn" role="status">
          {t(`booking.hosts.lacks.${location.kind}`)}
        </Banner>
      ) : null}
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
