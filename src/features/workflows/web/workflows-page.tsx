import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { useRefusal } from '#ui/refusal.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { actionsText, camel, timingText } from './describe-workflow.ts';
import {
  type Team,
  useDeleteWorkflow,
  useRestoreWorkflow,
  useSwitchWorkflow,
  useWorkflows,
  type Workflow,
} from './queries.ts';
import { LinkButton, WorkflowLink } from './workflow-link.tsx';
import styles from './workflows-page.module.css';

const CreateWorkflowDialog = lazy(async () => ({
  default: (await import('./create-workflow-dialog.tsx')).CreateWorkflowDialog,
}));

/** Selects a person's own workflows, beside the ids of teams. */
const own = 'own';

interface Search {
  new?: string;
  team?: string;
  tag?: string;
}

/** The list of workflows. */
export function WorkflowsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: Search = useSearch({ strict: false });
  const refusal = useRefusal();
  const found = useWorkflows();
  const remove = useDeleteWorkflow();
  const restore = useRestoreWorkflow();
  const { workflows, teams = [] } = found.data ?? {};
  const { new: _, ...filter } = search;
  const go = (next: Search, replace = true) => void navigate({ to: '/workflows', search: next, replace });
  const shown = workflows?.filter(
    ({ team_id, tags }) =>
      (search.team === undefined || (team_id ?? own) === search.team) &&
      (search.tag === undefined || tags.includes(search.tag)),
  );
  const create = () => go({ ...filter, new: '1' }, false);
  const closeCreating = () => go(filter);
  const refused = (subject: string) => (error: unknown) => showToast({ subject, state: 'bad', ...refusal(error) });
  // here and not in the row, which goes with it
  const deleteWorkflow = ({ id, name }: Workflow) => {
    const subject = `workflow ${id}`;
    remove.mutate(id, {
      onSuccess: () =>
        showToast({
          subject,
          state: 'idle',
          message: t('workflows.deleted', { name }),
          staysMs: 10_000,
          action: { label: t('workflows.undo'), run: () => restore.mutate(id, { onError: refused(subject) }) },
        }),
      onError: refused(subject),
    });
  };
  const open = <Button onClick={create}>{t('workflows.create.open')}</Button>;
  return (
    <Page
      title={t('workflows.title')}
      subtitle={t('workflows.subtitle')}
      actions={
        <>
          <LinkButton to="/workflows/connections" variant="default">
            {t('workflows.connections')}
          </LinkButton>
          {workflows && workflows.length > 0 ? open : null}
        </>
      }
    >
      <Filters search={filter} workflows={workflows ?? []} teams={teams} onChange={go} />
      {shown === undefined ? (
        <Panel flush={!found.error}>
          {found.error ? (
            <ErrorState title={t('workflows.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <SkeletonRows rows={4} label={t('workflows.loading')} />
          )}
        </Panel>
      ) : workflows?.length === 0 ? (
        <Panel>
          <EmptyState art="mail" title={t('workflows.empty.title')} text={t('workflows.empty.text')} action={open} />
        </Panel>
      ) : shown.length === 0 ? (
        <Panel>
          <EmptyState
            art="missing"
            title={t('workflows.empty.filtered')}
            text={t('workflows.empty.filteredText')}
            action={
              <Button variant="default" onClick={() => go({})}>
                {t('workflows.filter.clear')}
              </Button>
            }
          />
        </Panel>
      ) : (
        <Panel flush>
          <h2 className="hf-sr-only">{t('workflows.list')}</h2>
          <ul className={styles.list}>
            {shown.map((workflow) => (
              <WorkflowRow
                key={workflow.id}
                workflow={workflow}
                team={teams.find(({ team_id }) => team_id === workflow.team_id)?.name}
                onDelete={() => deleteWorkflow(workflow)}
              />
            ))}
          </ul>
        </Panel>
      )}
      <Suspense>
        {search.new === '1' ? (
          <CreateWorkflowDialog kinds={found.data?.kinds ?? []} teams={teams} onClose={closeCreating} />
        ) : null}
      </Suspense>
    </Page>
  );
}

/** Filters of the list, shown once there is more than one value. Their state is in the address. */
function Filters({
  search,
  workflows,
  teams,
  onChange,
}: {
  search: Search;
  workflows: readonly Workflow[];
  teams: readonly Team[];
  onChange: (next: Search) => void;
}) {
  const { t, i18n } = useTranslation();
  const tags = [...new Set(workflows.flatMap((one) => one.tags))].toSorted(new Intl.Collator(i18n.language).compare);
  const isMixed = search.team !== undefined || new Set(workflows.map(({ team_id }) => team_id)).size > 1;
  if (!isMixed && tags.length === 0 && search.tag === undefined) return null;
  const { team, tag } = search;
  return (
    <search className={styles.filters}>
      {isMixed ? (
        <SelectField
          aria-label={t('workflows.filter.team')}
          value={team ?? ''}
          data={[
            { value: '', label: t('workflows.filter.all') },
            { value: own, label: t('workflows.filter.own') },
            ...teams.map(({ team_id: value, name: label }) => ({ value, label })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...(value === '' ? {} : { team: value }), ...(tag === undefined ? {} : { tag }) })
          }
        />
      ) : null}
      {tags.length > 0 || tag !== undefined ? (
        <SelectField
          aria-label={t('workflows.filter.tag')}
          value={tag ?? ''}
          data={[
            { value: '', label: t('workflows.filter.allTags') },
            ...[...new Set([...tags, ...(tag === undefined ? [] : [tag])])].map((value) => ({ value, label: value })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...(team === undefined ? {} : { team }), ...(value === '' ? {} : { tag: value }) })
          }
        />
      ) : null}
    </search>
  );
}

function WorkflowRow({
  workflow,
  team,
  onDelete,
}: {
  workflow: Workflow;
  team: string | undefined;
  onDelete: () => void;
}) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const change = useSwitchWorkflow();
  const { id, name, tags, active, definition, waiting, given_up: givenUp } = workflow;
  const { trigger, offset } = definition;
  const subject = `workflow ${id}`;
  const refused = (error: unknown) => showToast({ subject, state: 'bad', ...refusal(error) });
  return (
    <li className={styles.row}>
      <div className={styles.texts}>
        <p className={styles.name}>
          <WorkflowLink to="/workflows/$workflowId" params={{ workflowId: id }}>
            {name}
          </WorkflowLink>
          <StateBadge state={active ? 'ok' : 'idle'}>
            {active ? t('workflows.active') : t('workflows.inactive')}
          </StateBadge>
          {team === undefined ? null : <Tag>{team}</Tag>}
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
          {givenUp > 0 ? <StateBadge state="bad">{t('workflows.givenUp', { count: givenUp })}</StateBadge> : null}
        </p>
        <dl className={styles.facts}>
          <div>
            <dt>{t('workflows.field.trigger')}</dt>
            <dd>{t(`workflows.trigger.${camel(trigger)}`)}</dd>
          </div>
          <div>
            <dt>{t('workflows.field.action')}</dt>
            <dd>{actionsText(definition, t)}</dd>
          </div>
          <div>
            <dt>{t('workflows.field.timing')}</dt>
            <dd>{timingText(offset, trigger, t)}</dd>
          </div>
          {waiting > 0 ? (
            <div>
              <dt>{t('workflows.field.waiting')}</dt>
              <dd>{t('workflows.waiting', { count: waiting })}</dd>
            </div>
          ) : null}
        </dl>
      </div>
      <span className={styles.actions}>
        <Switch
          aria-label={t('workflows.switch', { name })}
          checked={active}
          onChange={(event) => change.mutate({ id, active: event.currentTarget.checked }, { onError: refused })}
        />
        <IconButton
          label={t('workflows.edit', { name })}
          onClick={() => void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } })}
        >
          <IconPencil size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('workflows.delete', { name })} onClick={onDelete}>
          <IconTrash size={18} aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}
