import { IconArrowLeft } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { PageTabs } from '#ui/page-tabs.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { FormEditor } from './editor/form-editor.tsx';
import { FormSwitch } from './form-switch.tsx';
import { type FormId, useForm, useForms } from './queries.ts';
import styles from './routing.module.css';
import { LinkButton, TabLink } from './routing-link.tsx';
import { SharePanel } from './share-panel.tsx';
import { Submissions } from './submissions.tsx';

/** One form: its questions and rules, where it stands, and what came in by it. */
export function FormPage() {
  const { t } = useTranslation();
  const { formId } = useParams({ strict: false }) as { formId: FormId };
  const { tab }: { tab?: 'submissions' | 'share' } = useSearch({ strict: false });
  const found = useForm(formId);
  const forms = useForms();
  const whole = found.data;
  // the list knows a switch made elsewhere; the edited form stays as it is
  const form = forms.data?.forms.find(({ id }) => id === formId) ?? whole?.form;
  const team = forms.data?.teams.find(({ team_id }) => team_id === form?.team_id);
  const tabs = [undefined, 'share', ...(form?.may_see_answers ? ['submissions' as const] : [])] as const;
  const words = {
    settings: t('routing.editor.settings'),
    share: t('routing.share.title'),
    submissions: t('routing.submissions.title'),
  };
  return (
    <Page
      width="narrow"
      title={whole?.form.name ?? t('routing.editor.title')}
      subtitle={
        form === undefined ? null : (
          <span className={styles.name}>
            <Tag>{t(`routing.type.${form.type}`)}</Tag>
            {team === undefined ? null : <span>{team.name}</span>}
            {form.may_change ? (
              <FormSwitch form={form} isNamed />
            ) : (
              <StateBadge state={form.active ? 'ok' : 'idle'}>
                {form.active ? t('routing.active') : t('routing.inactive')}
              </StateBadge>
            )}
          </span>
        )
      }
      actions={
        <LinkButton to="/routing" variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} aria-hidden />}>
          {t('routing.title')}
        </LinkButton>
      }
    >
      <PageTabs label={t('routing.editor.title')}>
        {tabs.map((one) => (
          <TabLink
            key={one ?? 'settings'}
            to="/routing/$formId"
            params={{ formId }}
            search={one === undefined ? {} : { tab: one }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {words[one ?? 'settings']}
          </TabLink>
        ))}
      </PageTabs>
      {whole === undefined || form === undefined ? (
        <Panel>
          {found.error ? (
            <ErrorState title={t('routing.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <SkeletonRows rows={6} label={t('routing.loading')} />
          )}
        </Panel>
      ) : tab === 'submissions' ? (
        <Submissions form={form} />
      ) : tab === 'share' ? (
        <SharePanel form={form} definition={whole.definition} />
      ) : (
        <FormEditor
          key={`${whole.form.id} ${whole.form.revision}`}
          form={whole.form}
          definition={whole.definition}
          onReload={() => void found.refetch()}
        />
      )}
    </Page>
  );
}
