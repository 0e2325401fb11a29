import { IconArrowLeft } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { PageTabs } from '#ui/page-tabs.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { useWorkflow, useWorkflows, type WorkflowId } from './queries.ts';
import { RunLog } from './run-log.tsx';
import { WorkflowEditor } from './workflow-editor.tsx';
import { LinkButton, TabLink } from './workflow-link.tsx';

const VersionList = lazy(async () => ({ default: (await import('./version-list.tsx')).VersionList }));

/** One workflow: its settings, what it did, and what it was. */
export function WorkflowPage() {
  const { t } = useTranslation();
  const { workflowId } = useParams({ strict: false }) as { workflowId: WorkflowId };
  const { tab }: { tab?: string } = useSearch({ strict: false });
  const found = useWorkflow(workflowId);
  const workflow = found.data?.workflow;
  const teams = useWorkflows().data?.teams;
  const team = teams?.find(({ team_id }) => team_id === workflow?.team_id);
  const params = { workflowId };
  return (
    <Page
      width="narrow"
      title={workflow?.name ?? t('workflows.editor.title')}
      subtitle={
        workflow === undefined ? null : (
          <>
            <StateBadge state={workflow.active ? 'ok' : 'idle'}>
              {workflow.active ? t('workflows.active') : t('workflows.inactive')}
            </StateBadge>{' '}
            {team === undefined ? null : <Tag>{team.name}</Tag>}
          </>
        )
      }
      actions={
        <LinkButton to="/workflows" variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} aria-hidden />}>
          {t('workflows.title')}
        </LinkButton>
      }
    >
      <PageTabs label={t('workflows.editor.title')}>
        <TabLink
          to="/workflows/$workflowId"
          params={params}
          search={{}}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t('workflows.editor.settings')}
        </TabLink>
        <TabLink
          to="/workflows/$workflowId"
          params={params}
          search={{ tab: 'log' }}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t('workflows.log.title')}
        </TabLink>
        <TabLink
          to="/workflows/$workflowId"
          params={params}
          search={{ tab: 'versions' }}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t('workflows.versions.title')}
        </TabLink>
      </PageTabs>
      {workflow === undefined ? (
        <Panel>
          {found.error ? (
            <ErrorState title={t('workflows.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <SkeletonRows rows={6} label={t('workflows.loading')} />
          )}
        </Panel>
      ) : tab === 'log' ? (
        <RunLog workflow={workflow} />
      ) : tab === 'versions' ? (
        <Suspense
          fallback={
            <Panel>
              <SkeletonRows rows={4} label={t('workflows.loading')} />
            </Panel>
          }
        >
          <VersionList workflow={workflow} />
        </Suspense>
      ) : (
        <WorkflowEditor
          key={`${workflow.id} ${workflow.version}`}
          workflow={workflow}
          onReload={() => void found.refetch()}
        />
      )}
    </Page>
  );
}
