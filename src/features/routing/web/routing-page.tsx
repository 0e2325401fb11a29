import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { FormSwitch } from './form-switch.tsx';
import { type Form, type Team, useDeleteForm, useForms, useRestoreForm } from './queries.ts';
import styles from './routing.module.css';
import { FormLink, LinkButton } from './routing-link.tsx';

const CreateRuleDialog = lazy(async () => ({
  default: (await import('./editor/create-rule-dialog.tsx')).CreateRuleDialog,
}));

/** The key of personal forms, beside the ids of teams. */
const own = 'own';

/** Forms that lead visitors to the right host. */
export function RoutingPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: { new?: string; team?: string } = useSearch({ strict: false });
  const errorText = useErrorText();
  const found = useForms();
  const remove = useDeleteForm();
  const restore = useRestoreForm();
  const { forms, teams = [] } = found.data ?? {};
  const shown = forms?.filter(({ team_id }) => search.team === undefined || (team_id ?? own) === search.team);
  const go = (next: typeof search, replace = false) => void navigate({ to: '/routing', search: next, replace });
  const { new: _, ...filter } = search;
  const refused = (subject: string) => (error: unknown) =>
    showToast({ subject, state: 'bad', message: errorText(error) });
  // here and not in the row, which goes with it
  const deleteForm = ({ id, name }: Form) => {
    const subject = `form ${id}`;
    remove.mutate(id, {
      onSuccess: () =>
        showToast({
          subject,
          state: 'idle',
          message: t('routing.deleted', { name }),
          staysMs: 10_000,
          action: { label: t('routing.undo'), run: () => restore.mutate(id, { onError: refused(subject) }) },
        }),
      onError: refused(subject),
    });
  };
  const open = <Button onClick={() => go({ ...filter, new: '1' })}>{t('routing.create.open')}</Button>;
  return (
    <Page
      title={t('routing.title')}
      subtitle={t('routing.subtitle')}
      actions={
        <>
          {teams.length > 0 ? (
            <LinkButton to="/routing/fairness" variant="default">
              {t('routing.fairness.title')}
            </LinkButton>
          ) : null}
          {forms && forms.length > 0 ? open : null}
        </>
      }
    >
      {search.team !== undefined || new Set(forms?.map(({ team_id }) => team_id)).size > 1 ? (
        <SelectField
          className={styles.filter}
          aria-label={t('routing.filter')}
          value={search.team ?? ''}
          data={[
            { value: '', label: t('routing.filterAll') },
            { value: own, label: t('routing.filterOwn') },
            ...teams.map(({ team_id: value, name: label }) => ({ value, label })),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            go(value === '' ? {} : { team: value }, true);
          }}
        />
      ) : null}
      {shown === undefined ? (
        <Panel flush={!found.error}>
          {found.error ? (
            <ErrorState title={t('routing.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <SkeletonRows rows={4} label={t('routing.loading')} />
          )}
        </Panel>
      ) : forms?.length === 0 ? (
        <Panel>
          <EmptyState art="mirrors" title={t('routing.empty.title')} text={t('routing.empty.text')} action={open} />
        </Panel>
      ) : shown.length === 0 ? (
        <Panel>
          <EmptyState
            art="missing"
            title={t('routing.empty.filtered')}
            text={t('routing.empty.filteredText')}
            action={
              <Button variant="default" onClick={() => go({}, true)}>
                {t('routing.filterAll')}
              </Button>
            }
          />
        </Panel>
      ) : (
        <Panel flush>
          <h2 className="hf-sr-only">{t('routing.list')}</h2>
          <ul className={styles.list}>
            {shown.map((form) => (
              <FormRow key={form.id} form={form} teams={teams} onDelete={() => deleteForm(form)} />
            ))}
          </ul>
        </Panel>
      )}
      <Suspense>
        {search.new === '1' ? <CreateRuleDialog teams={teams} onClose={() => go(filter, true)} /> : null}
      </Suspense>
    </Page>
  );
}

function FormRow({ form, teams, onDelete }: { form: Form; teams: readonly Team[]; onDelete: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id, name, description, type, active, team_id: teamId, submissions, may_change: mayChange } = form;
  const team = teams.find((one) => one.team_id === teamId);
  return (
    <li className={styles.row}>
      <div className={styles.texts}>
        <p className={styles.name}>
          <FormLink to="/routing/$formId" params={{ formId: id }}>
            {name}
          </FormLink>
          <Tag>{t(`routing.type.${type}`)}</Tag>
          <StateBadge state={active ? 'ok' : 'idle'}>{active ? t('routing.active') : t('routing.inactive')}</StateBadge>
        </p>
        {description === '' ? null : <p className={styles.about}>{description}</p>}
        <p className={styles.hint}>
          {team === undefined ? '' : `${team.name} · `}
          {form.may_see_answers ? (
            <FormLink to="/routing/$formId" params={{ formId: id }} search={{ tab: 'submissions' }}>
              {t('routing.came', { count: submissions })}
            </FormLink>
          ) : (
            t('routing.came', { count: submissions })
          )}
        </p>
      </div>
      {mayChange ? (
        <span className={styles.actions}>
          <FormSwitch form={form} />
          <IconButton
            label={t('routing.edit', { name })}
            onClick={() => void navigate({ to: '/routing/$formId', params: { formId: id } })}
          >
            <IconPencil size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('routing.delete', { name })} onClick={onDelete}>
            <IconTrash size={18} aria-hidden />
          </IconButton>
        </span>
      ) : null}
    </li>
  );
}
