import { useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { compareVersions, type VersionChange } from '#features/workflows/rules/compare-versions.ts';
import { StateBadge } from '#ui/badge.tsx';
import { ActionButton } from '#ui/button.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatMoment } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { camel, keyOf, timingText } from './describe-workflow.ts';
import { type Definition, useChangeWorkflow, useVersions, type Version, type Workflow } from './queries.ts';
import styles from './workflow-editor.module.css';

/** The versions of a workflow with their changes. An older one can be restored as a new version. */
export function VersionList({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation();
  const found = useVersions(workflow.id);
  const versions = found.data?.versions;
  if (versions === undefined)
    return (
      <Panel>
        {found.error ? (
          <ErrorState
            title={t('workflows.versions.loadFailed')}
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        ) : (
          <SkeletonRows rows={4} label={t('workflows.loading')} />
        )}
      </Panel>
    );
  return (
    <Panel flush>
      <h2 className="hf-sr-only">{t('workflows.versions.title')}</h2>
      <ul className={styles.runs}>
        {versions.map((version, at) => (
          <VersionRow key={version.n} version={version} before={versions[at + 1]} workflow={workflow} />
        ))}
      </ul>
      {versions.at(-1)?.n === 1 ? null : <p className={styles.foot}>{t('workflows.versions.more')}</p>}
    </Panel>
  );
}

function VersionRow({
  version,
  before,
  workflow,
}: {
  version: Version;
  before: Version | undefined;
  workflow: Workflow;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const queryClient = useQueryClient();
  const save = useChangeWorkflow();
  const { n, definition, at } = version;
  const subject = `workflow ${workflow.id}`;
  const restore = () =>
    save.mutate(
      { id: workflow.id, body: { version: workflow.version, name: workflow.name, definition } },
      {
        onSuccess: (saved) => {
          queryClient.setQueryData(['workflow', workflow.id], saved);
          showToast({
            subject,
            state: 'ok',
            message: t('workflows.versions.restored', { n, now: saved.workflow.version }),
          });
          // the button goes
          focusPageTitle();
        },
        onError: (error) => showToast({ subject, state: 'bad', message: errorText(error) }),
      },
    );
  const changes = before === undefined ? null : compareVersions(before.definition, definition);
  return (
    <li className={styles.run}>
      <p className={styles.runHead}>
        <span>{t('workflows.versions.one', { n })}</span>
        {n === workflow.version ? <StateBadge state="ok">{t('workflows.versions.now')}</StateBadge> : null}
      </p>
      <p className={styles.hint}>{formatMoment(at, preferences)}</p>
      {changes === null ? (
        n === 1 ? (
          <p>{t('workflows.versions.made')}</p>
        ) : null
      ) : changes.length === 0 ? (
        <p>{t('workflows.versions.same')}</p>
      ) : (
        <ul className={styles.attempts}>
          {changes.map((change) => (
            <li key={'n' in change ? `${change.what} ${change.n}` : change.what}>
              {changeText(change, before?.definition ?? definition, definition, t)}
            </li>
          ))}
        </ul>
      )}
      {n === workflow.version ? null : (
        <span>
          <ActionButton
            type="button"
            variant="default"
            size="xs"
            aria-label={`${t('workflows.versions.restore')}: ${t('workflows.versions.one', { n })}`}
            pending={save.isPending}
            pendingLabel={t('workflows.versions.restoring')}
            onClick={restore}
          >
            {t('workflows.versions.restore')}
          </ActionButton>
        </span>
      )}
    </li>
  );
}

function changeText(change: VersionChange, before: Definition, now: Definition, t: TFunction): string {
  const key = `workflows.versions.change.${change.what}`;
  if ('n' in change) return t(key, { n: change.n, action: t(`workflows.action.${keyOf(change.kind)}`) });
  const both = (say: (definition: Definition) => string) => t(key, { before: say(before), now: say(now) });
  if (change.what === 'trigger') return both(({ trigger }) => t(`workflows.trigger.${camel(trigger)}`));
  if (change.what === 'timing') return both(({ offset, trigger }) => timingText(offset, trigger, t));
  return t(key);
}
