import { IconMail, IconNote, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mailtoOf } from '#features/accounts/rules/email.ts';
import { Avatar, initialsOf } from '#ui/avatar.tsx';
import { Tag } from '#ui/badge.tsx';
import { Button, ButtonAnchor, IconButton } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { nameOf } from './contact-table.tsx';
import { FollowUpForm } from './follow-up-form.tsx';
import { History } from './history.tsx';
import { NoteForm } from './note-form.tsx';
import styles from './profile-dialog.module.css';
import { type Contact, type ContactId, type Profile, useNameOwner, useProfile, useSplit } from './queries.ts';
import { useRemove } from './use-remove.ts';

/** The profile of a contact: meetings, notes, and follow-up. */
export function ProfileDialog({
  id,
  onEdit,
  onClose,
}: {
  id: ContactId;
  onEdit: (contact: Contact) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const profile = useProfile(id);
  const [writing, setWriting] = useState<'note' | 'mail' | null>(null);
  const remove = useRemove();
  const { data } = profile;
  const address = data?.contact.addresses[0]?.address ?? '';
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('contacts.profile.title')}
      actions={
        data === undefined || writing !== null ? undefined : (
          <>
            <Button
              variant="default"
              leftSection={<IconNote size={16} aria-hidden />}
              onClick={() => setWriting('note')}
            >
              {t('contacts.note.add')}
            </Button>
            {data.follow_up === 'here' ? (
              <Button leftSection={<IconMail size={16} aria-hidden />} onClick={() => setWriting('mail')}>
                {t('contacts.followUp.open')}
              </Button>
            ) : (
              <ButtonAnchor href={mailtoOf(address)} leftSection={<IconMail size={16} aria-hidden />}>
                {t('contacts.followUp.open')}
              </ButtonAnchor>
            )}
          </>
        )
      }
    >
      {data === undefined ? (
        profile.error ? (
          <ErrorState
            title={t('contacts.profile.loadFailed')}
            error={profile.error}
            onRetry={() => void profile.refetch()}
          />
        ) : (
          <SkeletonRows rows={4} label={t('contacts.loading')} />
        )
      ) : (
        <>
          <div className={styles.head}>
            <Avatar size="lg" initials={initialsOf(data.contact.name, address)} />
            <div className={styles.who}>
              <h3>{nameOf(data.contact)}</h3>
              <Addresses contact={data.contact} />
              <p>{[data.contact.company, data.contact.phone].filter(Boolean).join(' · ')}</p>
            </div>
            <IconButton label={t('contacts.edit')} onClick={() => onEdit(data.contact)}>
              <IconPencil size={17} aria-hidden />
            </IconButton>
            <IconButton
              label={t('contacts.delete')}
              onClick={() => {
                remove(data.contact);
                onClose();
              }}
            >
              <IconTrash size={17} aria-hidden />
            </IconButton>
          </div>
          <Facts profile={data} />
          {writing === 'note' ? <NoteForm id={id} onClose={() => setWriting(null)} /> : null}
          {writing === 'mail' ? <FollowUpForm id={id} address={address} onClose={() => setWriting(null)} /> : null}
          {data.teams.map((team) => (
            <Owner key={team.id} id={id} team={team} />
          ))}
          <History profile={data} />
        </>
      )}
    </Dialog>
  );
}

/** All of a person's addresses; one that was merged can be taken out again. */
function Addresses({ contact }: { contact: Contact }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const split = useSplit();
  return (
    <ul className={styles.addresses}>
      {contact.addresses.map((one) => (
        <li key={one.id}>
          <a href={mailtoOf(one.address)}>{one.address}</a>
          {one.id === contact.id ? null : (
            <Button
              variant="subtle"
              size="xs"
              onClick={() =>
                split.mutate(
                  { id: contact.id, ids: [one.id] },
                  {
                    onError: (error) =>
                      showToast({ subject: `split ${one.id}`, state: 'bad', message: errorText(error) }),
                  },
                )
              }
            >
              {t('contacts.split')}
              <span className="hf-sr-only"> {one.address}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Facts({ profile: { contact, next } }: { profile: Profile }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const dayOf = (instant: string) => formatDay(msOfInstant(instant), preferences, nowMs);
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('contacts.column.total')}</dt>
        <dd className="hf-num">{contact.total_bookings}</dd>
      </div>
      <div>
        <dt>{t('contacts.profile.total')}</dt>
        <dd className="hf-num">{contact.total_meetings}</dd>
      </div>
      <div>
        <dt>{t('contacts.profile.last')}</dt>
        <dd>{contact.last_meeting === null ? t('contacts.never') : dayOf(contact.last_meeting)}</dd>
      </div>
      <div>
        <dt>{t('contacts.profile.next')}</dt>
        <dd>
          {next === null ? (
            t('contacts.profile.noNext')
          ) : (
            <>
              {dayOf(next.start_time)}, {formatTime(msOfInstant(next.start_time), preferences)}
              {next.title === null ? null : <span className={styles.dim}>{next.title}</span>}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('contacts.column.tags')}</dt>
        <dd className={styles.tags}>
          {contact.tags.length === 0
            ? t('contacts.profile.noTags')
            : contact.tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}
        </dd>
      </div>
    </dl>
  );
}

/** The owner of the contact in each team. */
function Owner({ id, team }: { id: ContactId; team: Profile['teams'][number] }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const name = useNameOwner();
  return (
    <div className={styles.owner}>
      <SelectField
        label={t('contacts.owner.label', { team: team.name })}
        disabled={!team.may_choose || name.isPending}
        value={team.owner_id ?? ''}
        error={name.isError ? errorText(name.error) : null}
        onChange={(event) => name.mutate({ id, team: team.id, userId: event.currentTarget.value || null })}
        data={[
          { value: '', label: t('contacts.owner.nobody') },
          ...team.members.map((member) => ({ value: member.id, label: member.name })),
        ]}
      />
    </div>
  );
}
