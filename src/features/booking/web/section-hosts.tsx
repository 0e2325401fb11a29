import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Avatar, initialsOf } from '#ui/avatar.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import fields from './fields.module.css';
import type { EventType } from './queries.ts';
import styles from './section-hosts.module.css';
import { type PoolMember, usePoolMembers } from './team-queries.ts';
import type { SectionProps, TypeDraft } from './type-draft.ts';

type Host = NonNullable<TypeDraft['hosts']>[number];

/** With whom of the team it is booked: all together, or one after the other. */
export function SectionHosts({
  type,
  draft,
  settings,
  errors,
  onChange,
  onDraft,
}: SectionProps & { type: EventType; draft: TypeDraft; onDraft: (patch: Partial<TypeDraft>) => void }) {
  const { t } = useTranslation();
  const found = usePoolMembers(type.id);
  const hosts = draft.hosts ?? [];
  const isPool = type.kind === 'round-robin';
  const members = found.data?.members;
  const put = (next: readonly Host[]) => onDraft({ hosts: [...next] });
  const change = (at: number, patch: Partial<Host>) =>
    put(hosts.map((host, n) => (n === at ? { ...host, ...patch } : host)));
  const move = (at: number, by: -1 | 1) => {
    const host = hosts[at];
    if (host) put(hosts.toSpliced(at, 1).toSpliced(at + by, 0, host));
  };
  const others = (members ?? []).filter((one) => !hosts.some((host) => host.user_id === one.user_id));
  const required = hosts.filter(({ optional }) => !optional).length;
  const refused = errors.hosts;
  return (
    <Panel title={t('booking.hosts.title')} text={t(isPool ? 'booking.hosts.textPool' : 'booking.hosts.textTogether')}>
      {members === undefined ? (
        found.error ? (
          <ErrorState title={t('booking.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <SkeletonRows rows={3} label={t('booking.loading')} />
        )
      ) : (
        <div className={styles.parts}>
          {hosts.length === 0 ? <p className={styles.none}>{t('booking.hosts.none')}</p> : null}
          <ul className={styles.list}>
            {hosts.map((host, n) => (
              <HostRow
                key={host.user_id}
                host={host}
                member={members.find((one) => one.user_id === host.user_id)}
                isPool={isPool}
                isFirst={n === 0}
                isLast={n === hosts.length - 1}
                onChange={(patch) => change(n, patch)}
                onMove={(by) => move(n, by)}
                onRemove={() => put(hosts.filter((one) => one !== host))}
              />
            ))}
          </ul>
          {refused ? (
            <p className={styles.refused} role="alert">
              {refused}
            </p>
          ) : null}
          {others.length === 0 ? null : (
            <fieldset className={styles.add}>
              <legend className={fields.legend}>{t('booking.hosts.add')}</legend>
              {others.map((member) => (
                <Button
                  key={member.user_id}
                  type="button"
                  variant="default"
                  size="xs"
                  onClick={() => put([...hosts, { user_id: member.user_id, weight: 1, priority: 2, optional: false }])}
                >
                  + {member.name}
                </Button>
              ))}
            </fieldset>
          )}
          {isPool ? (
            <Switch
              label={t('booking.hosts.contactOwner')}
              description={t('booking.hosts.contactOwnerHint')}
              checked={settings.contact_owner_first}
              onChange={(event) => onChange({ contact_owner_first: event.currentTarget.checked })}
            />
          ) : (
            <SelectField
              label={t('booking.hosts.quorum')}
              value={String(settings.quorum ?? 0)}
              error={errors['settings.quorum']}
              data={[
                { value: '0', label: t('booking.hosts.all') },
                ...Array.from({ length: Math.max(required - 1, settings.quorum ?? 0) }, (_, n) => ({
                  value: String(n + 1),
                  label: t('booking.hosts.enough', { count: n + 1 }),
                })),
              ]}
              onChange={(event) => onChange({ quorum: Number(event.currentTarget.value) || null })}
            />
          )}
        </div>
      )}
    </Panel>
  );
}

interface HostRowProps {
  host: Host;
  /** Undefined: in the team no more. */
  member: PoolMember | undefined;
  isPool: boolean;
  isFirst: boolean;
  isLast: boolean;
  onChange: (patch: Partial<Host>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function HostRow({ host, member, isPool, isFirst, isLast, onChange, onMove, onRemove }: HostRowProps) {
  const { t } = useTranslation();
  const name = member?.name ?? '';
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        <Avatar initials={initialsOf(name, null)} picture={member?.avatar_url ?? null} />
        <span className={styles.texts}>
          <strong>{name}</strong>
          {isPool ? <span>{t('booking.hosts.given', { count: member?.assigned ?? 0 })}</span> : null}
          {member?.lacks ? <span className={styles.refused}>{t(`booking.hosts.lacks.${member.lacks}`)}</span> : null}
        </span>
      </span>
      <span className={styles.settings}>
        {isPool ? (
          <>
            <TextField
              type="number"
              inputMode="numeric"
              min={1}
              max={100}
              className={styles.weight}
              label={t('booking.hosts.weight')}
              aria-label={t('booking.hosts.weightOf', { name })}
              value={String(host.weight)}
              onChange={(event) =>
                onChange({ weight: Math.min(100, Math.max(1, Math.round(Number(event.currentTarget.value) || 1))) })
              }
            />
            <SelectField
              label={t('booking.hosts.priority')}
              aria-label={t('booking.hosts.priorityOf', { name })}
              value={String(host.priority)}
              data={[1, 2, 3].map((one) => ({ value: String(one), label: t(`booking.hosts.priorities.${one}`) }))}
              onChange={(event) => onChange({ priority: Number(event.currentTarget.value) })}
            />
          </>
        ) : (
          <Switch
            label={t('booking.hosts.optional')}
            aria-label={t('booking.hosts.optionalOf', { name })}
            checked={host.optional}
            onChange={(event) => onChange({ optional: event.currentTarget.checked })}
          />
        )}
      </span>
      <span className={styles.actions}>
        <IconButton
          type="button"
          label={t('booking.hosts.up', { name })}
          aria-disabled={isFirst || undefined}
          onClick={() => (isFirst ? undefined : onMove(-1))}
        >
          <IconArrowUp size={16} aria-hidden />
        </IconButton>
        <IconButton
          type="button"
          label={t('booking.hosts.down', { name })}
          aria-disabled={isLast || undefined}
          onClick={() => (isLast ? undefined : onMove(1))}
        >
          <IconArrowDown size={16} aria-hidden />
        </IconButton>
        <IconButton type="button" label={t('booking.hosts.remove', { name })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}
