import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { formatDay } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type BookingLink, type EventType, useCreateLink, useDeleteLink, useLinks } from '../queries.ts';
import styles from './private-links.module.css';

const hour = 3_600_000;
const lives = { day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour, never: null } as const;
type Life = keyof typeof lives;

/** Links that only those know whom they were given to: for one booking, for some days, or until they are closed. */
export function PrivateLinks({ type }: { type: EventType }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const nowMs = useNowMs();
  const links = useLinks(type.id);
  const create = useCreateLink();
  const [label, setLabel] = useState('');
  const [uses, setUses] = useState<'once' | 'any'>('once');
  const [life, setLife] = useState<Life>('week');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lifeMs = lives[life];
    const expiresAt = lifeMs === null ? null : nowMs + lifeMs;
    create.mutate(
      {
        kind: 'private',
        event_type_id: type.id,
        label: label.trim(),
        uses: uses === 'once' ? 1 : null,
        expires_at: expiresAt,
      },
      { onSuccess: () => setLabel('') },
    );
  };
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{t('booking.private.title')}</h3>
      <p className={styles.text}>{t('booking.private.text')}</p>
      <form onInput={forgetRefusal(create)} className={styles.form} onSubmit={submit}>
        <TextField
          className={styles.label}
          label={t('booking.private.label')}
          placeholder={t('booking.private.placeholder')}
          value={label}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <SelectField
          label={t('booking.private.uses')}
          value={uses}
          data={(['once', 'any'] as const).map((one) => ({ value: one, label: t(`booking.uses.${one}`) }))}
          onChange={(event) => setUses(event.currentTarget.value as 'once' | 'any')}
        />
        <SelectField
          label={t('booking.private.life')}
          value={life}
          data={(['day', 'week', 'month', 'never'] as const).map((one) => ({
            value: one,
            label: t(`booking.life.${one}`),
          }))}
          onChange={(event) => setLife(event.currentTarget.value as Life)}
        />
        <ActionButton pending={create.isPending} pendingLabel={t('booking.private.pending')}>
          {t('booking.private.create')}
        </ActionButton>
      </form>
      {create.isError ? (
        <p className={styles.problem} role="alert">
          {errorText(create.error)}
        </p>
      ) : null}
      {links.data && links.data.links.length > 0 ? (
        <ul className={styles.list}>
          {links.data.links.map((link) => (
            <LinkRow key={link.id} link={link} nowMs={nowMs} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** One link, with how long it can be used. Outside the dialog of an event type the row names that. */
export function LinkRow({ link, nowMs, isOfAll = false }: { link: BookingLink; nowMs: number; isOfAll?: boolean }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const remove = useDeleteLink();
  const expiresMs = link.expires_at;
  const isOver = link.uses_left === 0 || (expiresMs !== null && expiresMs <= nowMs);
  const name = link.label === '' ? t(`booking.linkKind.${link.kind}`) : link.label;
  const facts = [
    isOfAll ? link.title : '',
    link.label === '' ? '' : t(`booking.linkKind.${link.kind}`),
    link.uses_left === null ? t('booking.uses.any') : t('booking.private.left', { count: link.uses_left }),
    expiresMs === null ? '' : t('booking.private.until', { day: formatDay(expiresMs, preferences, nowMs) }),
  ].filter(Boolean);
  return (
    <li className={styles.link}>
      <span className={styles.texts}>
        <span className={styles.name}>{name}</span>
        <span className={styles.facts}>{facts.join(' · ')}</span>
      </span>
      {isOver ? (
        <StateBadge state="idle">{t('booking.private.over')}</StateBadge>
      ) : (
        <CopyButton text={link.url} size="xs">
          {t('booking.row.copy')}
          <span className="hf-sr-only"> {name}</span>
        </CopyButton>
      )}
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        onClick={() =>
          remove.mutate(link.id, {
            onError: (error) => showToast({ subject: `link ${link.id}`, state: 'bad', message: errorText(error) }),
          })
        }
      >
        {t('booking.private.close')}
        <span className="hf-sr-only"> {name}</span>
      </Button>
    </li>
  );
}
