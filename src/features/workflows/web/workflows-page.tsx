import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { showToast } from '#ui/toasts.tsx';
import { actionsText, camel, timingText } from './describe-workflow.ts';
import { useDeleteWorkflow, useRestoreWorkflow, useSwitchWorkflow, useWorkflows, type Workflow } from './queries.ts';
import { LinkButton, WorkflowLink } from './workflow-link.tsx';
import styles from './workflows-page.module.css';

const CreateWorkflowDialog = lazy(async () => ({
  default: (await import('./create-workflow-dialog.tsx')).CreateWorkflowDialog,
}));

/** What happens by itself when something happens to a booking. */
export function WorkflowsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: { new?: string } = useSearch({ strict: false });
  const errorText = useErrorText();
  const found = useWorkflows();
  const remove = useDeleteWorkflow();
  const restore = useRestoreWorkflow();
  const workflows = found.data?.workflows;
  const create = () => void navigate({ to: '/workflows', search: { new: '1' } });
  const closeCreating = () => void navigate({ to: '/workflows', search: {}, replace: true });
  const refused = (subject: string) => (error: unknown) =>
    showToast({ subject, state: 'bad', message: errorText(error) });
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
      {workflows === undefined ? (
        <Panel flush={!found.error}>
          {found.error ? (
            <ErrorState title={t('workflows.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <SkeletonRows rows={4} label={t('workflows.loading')} />
          )}
        </Panel>
      ) : workflows.length === 0 ? (
        <Panel>
          <EmptyState art="mail" title={t('workflows.empty.title')} text={t('workflows.empty.text')} action={open} />
        </Panel>
      ) : (
        <Panel flush>
          <h2 className="hf-sr-only">{t('workflows.list')}</h2>
          <ul className={styles.list}>
            {workflows.map((workflow) => (
              <WorkflowRow key={workflow.id} workflow={workflow} onDelete={() => deleteWorkflow(workflow)} />
            ))}
          </ul>
        </Panel>
      )}
      <Suspense>
        {search.new === '1' ? <CreateWorkflowDialog kinds={found.data?.kinds ?? []} onClose={closeCreating} /> : null}
      </Suspense>
    </Page>
  );
}

function WorkflowRow({ workflow, onDelete }: { workflow: Workflow; onDelete: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const change = useSwitchWorkflow();
  const { id, name, active, definition, waiting, given_up: givenUp } = workflow;
  const { trigger, offset } = definition;
  const subject = `workflow ${id}`;
  const refused = (error: unknown) => showToast({ subject, state: 'bad', message: errorText(error) });
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
