import { IconArrowsShuffle, IconUser, IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longestHandle, longestSlug, nameForAddress } from '#features/booking/rules/handle.ts';
import { AddressField } from '#ui/address-field.tsx';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { copyText } from '#ui/copy-text.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { KindChoice } from '#ui/kind-choice.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './create-type-dialog.module.css';
import { lengthText } from './describe-type.ts';
import { useOwnName } from './handle/use-own-name.ts';
import { LinkButton } from './link-button.ts';
import { emptyLocation, type LocationKind, lacking, locationKinds } from './location-kinds.ts';
import { type EventType, type TeamTypes, useCalendars, useChangeHandle, useCreateType, useHandle } from './queries.ts';
import { useTeamConferences } from './team-queries.ts';
import { useNoteCopied } from './use-note-copied.ts';

const kinds = [
  { kind: 'one-on-one', Icon: IconUser },
  { kind: 'group', Icon: IconUsersGroup },
] as const;
/** These need a team. */
const teamKinds = [
  { kind: 'collective', Icon: IconUsers },
  { kind: 'round-robin', Icon: IconArrowsShuffle },
] as const;
type Kind = (typeof kinds)[number]['kind'] | (typeof teamKinds)[number]['kind'];
const durations = [15, 20, 30, 45, 60, 90];

/** A new event type in one step. Its link is copied as soon as it exists; all other settings have defaults. */
export function CreateTypeDialog({
  teams,
  onClose,
  onCreated,
}: {
  teams: readonly TeamTypes[];
  onClose: () => void;
  onCreated: (type: EventType, isCopied: boolean) => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const create = useCreateType();
  const handle = useHandle().data;
  const takeHandle = useChangeHandle();
  const noteCopied = useNoteCopied();
  const { canHold } = useCalendars();
  const formId = useId();
  const [kind, setKind] = useState<Kind>('one-on-one');
  const [teamId, setTeam] = useState(teams[0]?.team_id);
  const [title, setTitle] = useState('');
  const [minutes, setMinutes] = useState(30);
  const [chosen, setPlace] = useState<LocationKind>();
  const [url, setUrl] = useState('https://');
  const isOfTeam = kind === 'collective' || kind === 'round-robin';
  const needsTeam = isOfTeam && teams.length === 0;
  const hosts = useTeamConferences(isOfTeam ? teamId : null);
  const lackedBy = (one: LocationKind) => lacking(hosts ?? [], one);
  const offered = locationKinds.filter((one) =>
    hosts === undefined ? canHold(one) : lackedBy(one.kind).length < hosts.length || one.provider === undefined,
  );
  const suggested =
    offered.find((one) => one.provider !== undefined && lackedBy(one.kind).length === 0)?.kind ?? 'phone';
  const place = chosen !== undefined && offered.some((one) => one.kind === chosen) ? chosen : suggested;
  const unable = lackedBy(place);

  // The first event type also takes the address under which links are found.
  const asksName = !isOfTeam && handle !== undefined && handle.handle === null;
  const [typedName, setName] = useState<string>();
  const name = typedName ?? handle?.suggestion ?? '';
  const { canBeTaken, problem, note } = useOwnName(name, handle?.handle ?? null);
  const own = asksName && name !== '' ? `${handle.base}${name}` : handle?.url;
  const before = (isOfTeam ? teams.find((team) => team.team_id === teamId)?.url : own) ?? null;
  const slug = nameForAddress(title, longestSlug);

  const pending = create.isPending || takeHandle.isPending;
  const isIncomplete = title.trim() === '' || needsTeam || (asksName && !canBeTaken);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isIncomplete || pending) return;
    if (asksName) takeHandle.mutate(name, { onSuccess: createType });
    else createType();
  };
  const offerLink = async (made: EventType) => {
    const isCopied = made.url !== null && (await copyText(made.url));
    if (isCopied) noteCopied();
    onCreated(made, isCopied);
  };
  const createType = () =>
    create.mutate(
      {
        title: title.trim(),
        kind,
        ...(isOfTeam && teamId !== undefined ? { team_id: teamId } : {}),
        settings: {
          durations_minutes: [minutes],
          step_minutes: Math.min(minutes, 30),
          location: place === 'link' ? { kind: place, url } : emptyLocation(place),
        },
      },
      {
        onSuccess: ({ event_type: made }) => void offerLink(made),
      },
    );
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('booking.create.title')}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('booking.cancel')}
          </Button>
          <ActionButton
            form={formId}
            pending={pending}
            pendingLabel={t('booking.create.pending')}
            disabled={isIncomplete}
          >
            {t('booking.create.submit')}
          </ActionButton>
        </>
      }
    >
      <form onInput={forgetRefusal(create)} id={formId} className={styles.form} onSubmit={submit}>
        <KindChoice
          label={t('booking.create.kind')}
          kinds={[...kinds, ...teamKinds].map(({ kind: one, Icon }) => ({
            kind: one,
            Icon,
            name: t(`booking.kind.${one}`),
            text: t(`booking.kindText.${one}`),
          }))}
          value={kind}
          onChange={setKind}
        />
        {needsTeam ? (
          <div className={styles.needs}>
            <p>{t('booking.create.needsTeam')}</p>
            <LinkButton to="/team" variant="default" size="xs">
              {t('booking.create.toTeam')}
            </LinkButton>
          </div>
        ) : null}
        {isOfTeam && teams.length > 1 ? (
          <SelectField
            label={t('booking.create.team')}
            value={teamId ?? ''}
            data={teams.map(({ team_id: value, name: label }) => ({ value, label }))}
            onChange={(event) => setTeam(teams.find((one) => one.team_id === event.currentTarget.value)?.team_id)}
          />
        ) : null}
        <TextField
          label={t('booking.field.title')}
          placeholder={t('booking.create.placeholder')}
          required
          maxLength={120}
          data-autofocus
          value={title}
          error={create.isError ? errorText(create.error) : null}
          description={
            before === null || slug === ''
              ? t('booking.create.addressLater')
              : `${before.replace(/^https?:\/\//, '')}/${slug}`
          }
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {asksName ? (
          <AddressField
            label={t('booking.handle.label')}
            base={handle.base.replace(/^https?:\/\//, '')}
            value={name}
            longest={longestHandle}
            problem={takeHandle.isError && takeHandle.variables === name ? errorText(takeHandle.error) : problem}
            note={note}
            required
            onChange={setName}
          />
        ) : null}
        <div className={styles.pair}>
          <SelectField
            label={t('booking.field.duration')}
            value={String(minutes)}
            data={durations.map((one) => ({ value: String(one), label: lengthText(one, t) }))}
            onChange={(event) => setMinutes(Number(event.currentTarget.value))}
          />
          <SelectField
            label={t('booking.field.place')}
            value={place}
            data={offered.map((one) => ({ value: one.kind, label: t(`booking.place.${one.kind}`) }))}
            onChange={(event) => setPlace(event.currentTarget.value as LocationKind)}
          />
        </div>
        {unable.length > 0 ? (
          <Banner state="warn" role="status">
            {t('booking.hosts.lacking', { names: unable.join(', '), place: t(`booking.place.${place}`) })}
          </Banner>
        ) : null}
        {place === 'link' ? (
          <TextField
            label={t('booking.field.url')}
            type="url"
            required
            maxLength={2_000}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
        ) : null}
      </form>
    </Dialog>
  );
}
