import { useTranslation } from 'react-i18next';
import { Checkbox } from '#ui/choice.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import type { Action, Definition, Target } from '../queries.ts';
import styles from '../routing.module.css';
import { LinkButton } from '../routing-link.tsx';
import { firstAction, fitsType } from './targets.ts';

type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;

/** The fields of an action: a time to book, another page, or a message. */
export function ActionFields({
  action,
  type,
  targets,
  wrong,
  onChange,
}: {
  action: Action;
  type: Definition['type'];
  /** Undefined while they are asked for. */
  targets: readonly Target[] | undefined;
  wrong: (part: string) => string | undefined;
  onChange: (action: Action) => void;
}) {
  const { t } = useTranslation();
  const offered = (targets ?? []).filter((target) => fitsType(target, type));
  const kinds = type === 'conditional' ? (['event-type', 'url', 'message'] as const) : (['event-type'] as const);
  const choose = (kind: Action['kind']) => {
    const [first] = offered;
    if (kind === 'url') onChange({ kind, url: 'https://' });
    else if (kind === 'message') onChange({ kind, text: t('routing.action.thanks') });
    else if (first) onChange(firstAction(first));
  };
  return (
    <div className={styles.fields}>
      {kinds.length > 1 ? (
        <SelectField
          label={t('routing.action.kind')}
          value={action.kind}
          error={wrong('.kind') ?? wrong('')}
          data={kinds
            .filter((kind) => kind !== 'event-type' || offered.length > 0 || action.kind === kind)
            .map((kind) => ({ value: kind, label: t(`routing.actionKind.${kind}`) }))}
          onChange={(event) => choose(event.currentTarget.value as Action['kind'])}
        />
      ) : null}
      {action.kind === 'url' ? (
        <TextField
          label={t('routing.action.url')}
          type="url"
          required
          maxLength={2_000}
          value={action.url}
          error={wrong('.url')}
          onChange={(event) => onChange({ ...action, url: event.currentTarget.value })}
        />
      ) : action.kind === 'message' ? (
        <TextArea
          className={styles.whole}
          label={t('routing.action.text')}
          required
          minRows={2}
          maxLength={2_000}
          value={action.text}
          error={wrong('.text')}
          onChange={(event) => onChange({ ...action, text: event.currentTarget.value })}
        />
      ) : (
        <TypeFields
          action={action}
          offered={offered}
          isLoaded={targets !== undefined}
          wrong={wrong}
          onChange={onChange}
        />
      )}
      {targets !== undefined && offered.length === 0 ? (
        <div className={`${styles.needs} ${styles.whole}`}>
          <p>{t('routing.action.noTypes')}</p>
          <LinkButton to="/booking-links" variant="default" size="xs">
            {t('routing.create.toTypes')}
          </LinkButton>
        </div>
      ) : null}
    </div>
  );
}

function TypeFields({
  action,
  offered,
  isLoaded,
  wrong,
  onChange,
}: {
  action: Of<'event-type'>;
  offered: readonly Target[];
  isLoaded: boolean;
  wrong: (part: string) => string | undefined;
  onChange: (action: Action) => void;
}) {
  const { t } = useTranslation();
  const { user_ids: userIds } = action;
  const target = offered.find((one) => one.event_type_id === action.event_type_id);
  const hosts = target?.hosts ?? [];
  return (
    <>
      <SelectField
        label={t('routing.field.type')}
        value={action.event_type_id}
        error={wrong('.event_type_id') ?? (isLoaded && target === undefined ? t('routing.action.typeGone') : undefined)}
        data={[
          ...(target === undefined
            ? [{ value: action.event_type_id, label: isLoaded ? t('routing.action.gone') : t('routing.loading') }]
            : []),
          ...offered.map(({ event_type_id: value, title, paused }) => ({
            value,
            label: paused ? t('routing.action.paused', { title }) : title,
          })),
        ]}
        onChange={(event) => {
          const next = offered.find((one) => one.event_type_id === event.currentTarget.value);
          if (next) onChange(firstAction(next));
        }}
      />
      {hosts.length > 1 && (target?.kind === 'round-robin' || target?.kind === 'collective') ? (
        <fieldset className={`${styles.group} ${styles.whole}`}>
          <legend className={styles.legend}>
            {target.kind === 'round-robin' ? t('routing.action.pool') : t('routing.action.hosts')}
          </legend>
          <Checkbox
            label={t('routing.action.everybody')}
            checked={userIds === null}
            onChange={(event) =>
              onChange({
                ...action,
                user_ids: event.currentTarget.checked ? null : hosts.slice(0, 1).map((host) => host.user_id),
              })
            }
          />
          {userIds === null
            ? null
            : hosts.map(({ user_id: id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={userIds.includes(id)}
                  // the last one stays: none of them could be booked
                  disabled={userIds.length === 1 && userIds[0] === id}
                  onChange={(event) =>
                    onChange({
                      ...action,
                      user_ids: event.currentTarget.checked ? [...userIds, id] : userIds.filter((one) => one !== id),
                    })
                  }
                />
              ))}
          {wrong('.user_ids') === undefined ? null : (
            <p className={styles.refused} role="alert" data-wrong>
              {wrong('.user_ids')}
            </p>
          )}
        </fieldset>
      ) : null}
      {target?.kind === 'round-robin' ? (
        <Checkbox
          className={styles.whole}
          label={t('routing.action.ownerFirst')}
          checked={action.contact_owner_first}
          onChange={(event) => onChange({ ...action, contact_owner_first: event.currentTarget.checked })}
        />
      ) : null}
    </>
  );
}
