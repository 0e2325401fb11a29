import { IconArrowsShuffle, IconRoute, IconUsers } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { startDefinition } from '#features/routing/rules/form-definition.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { KindChoice } from '#ui/kind-choice.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { type Definition, type Team, useCreateForm, useTargets } from '../queries.ts';
import styles from '../routing.module.css';
import { LinkButton } from '../routing-link.tsx';
import { firstAction, fitsType } from './targets.ts';

const types = [
  { type: 'round-robin', Icon: IconArrowsShuffle },
  { type: 'conditional', Icon: IconRoute },
  { type: 'collective', Icon: IconUsers },
] as const;

/** Create Routing Rule: which type, then what one has to say of it; everything else is on the page that follows. */
export function CreateRuleDialog({ teams, onClose }: { teams: readonly Team[]; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const create = useCreateForm();
  const formId = useId();
  const [type, setType] = useState<Definition['type'] | null>(null);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const owners = teams.filter((one) => one.may_change);
  // taking turns and meeting together are of a team
  const [chosenTeam, setTeam] = useState<Team['team_id'] | null>(owners[0]?.team_id ?? null);
  const teamId = type === 'conditional' ? chosenTeam : (chosenTeam ?? owners[0]?.team_id ?? null);
  const targets = (useTargets(teamId).data?.targets ?? []).filter((one) => type !== null && fitsType(one, type));
  const [chosenTarget, setTarget] = useState('');
  const target = targets.find((one) => one.event_type_id === chosenTarget) ?? targets[0];
  const needsTarget = type !== null && type !== 'conditional';
  const isReady = type !== null && name.trim() !== '' && (!needsTarget || target !== undefined);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const fallback =
      needsTarget && target ? firstAction(target) : { kind: 'message' as const, text: t('routing.action.thanks') };
    create.mutate(
      {
        ...(teamId === null ? {} : { team_id: teamId }),
        name: name.trim(),
        description: description.trim(),
        active: false,
        definition: startDefinition(type, name.trim(), fallback),
      },
      {
        onSuccess: ({ form }) => void navigate({ to: '/routing/$formId', params: { formId: form.id }, replace: true }),
      },
    );
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('routing.create.title')}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('routing.cancel')}
          </Button>
          {type === null ? null : (
            <ActionButton
              form={formId}
              pending={create.isPending}
              pendingLabel={t('routing.create.pending')}
              disabled={!isReady}
            >
              {t('routing.create.submit')}
            </ActionButton>
          )}
        </>
      }
    >
      <form onInput={forgetRefusal(create)} id={formId} className={styles.form} onSubmit={submit}>
        <KindChoice
          label={t('routing.create.type')}
          kinds={types.map(({ type: kind, Icon }) => ({
            kind,
            Icon,
            name: t(`routing.type.${kind}`),
            text: t(`routing.typeText.${kind}`),
          }))}
          value={type}
          onChange={setType}
        />
        {type === null ? null : (
          <>
            <TextField
              label={t('routing.field.name')}
              placeholder={t(`routing.placeholder.${type}`)}
              required
              maxLength={120}
              value={name}
              error={create.isError ? errorText(create.error) : null}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextArea
              label={t('routing.field.description')}
              minRows={2}
              maxLength={2_000}
              value={description}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
            {owners.length > (needsTarget ? 1 : 0) ? (
              <SelectField
                label={t('routing.field.owner')}
                value={teamId ?? ''}
                data={[
                  ...(needsTarget ? [] : [{ value: '', label: t('routing.field.myself') }]),
                  ...owners.map(({ team_id: value, name: label }) => ({ value, label })),
                ]}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  setTeam(owners.find((one) => one.team_id === value)?.team_id ?? null);
                }}
              />
            ) : null}
            {!needsTarget ? null : targets.length > 0 ? (
              <SelectField
                label={t('routing.field.type')}
                value={target?.event_type_id ?? ''}
                data={targets.map(({ event_type_id: value, title: label }) => ({ value, label }))}
                onChange={(event) => setTarget(event.currentTarget.value)}
              />
            ) : (
              <div className={styles.needs}>
                <p>
                  {owners.length === 0
                    ? t('routing.create.needsTeam')
                    : t('routing.create.needsType', { type: t(`routing.type.${type}`) })}
                </p>
                <LinkButton to={owners.length === 0 ? '/team' : '/booking-links'} variant="default" size="xs">
                  {owners.length === 0 ? t('routing.create.toTeam') : t('routing.create.toTypes')}
                </LinkButton>
              </div>
            )}
          </>
        )}
      </form>
    </Dialog>
  );
}
