import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';
import { loadWords } from '#ui/load-words.ts';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/tabs.tsx';
import styles from './console-page.module.css';
import { type Section, sectionAt, sections } from './sections.ts';

/** Each comes with its own words when it is opened. */
const parts: Record<Section, ComponentType> = {
  overview: lazy(async () => {
    const words = ['adminOverview', 'adminHealth', 'adminIntegrations', 'audit'].map(loadWords);
    const [part] = await Promise.all([import('./system/overview-section.tsx'), ...words]);
    return { default: part.OverviewSection };
  }),
  users: lazy(async () => {
    const words = [loadWords('adminUsers'), loadWords('audit')];
    const [part] = await Promise.all([import('./people/users-section.tsx'), ...words]);
    return { default: part.UsersSection };
  }),
  audit: lazy(async () => {
    const [part] = await Promise.all([import('./people/audit-section.tsx'), loadWords('audit')]);
    return { default: part.AuditSection };
  }),
  integrations: lazy(async () => {
    const words = [loadWords('adminIntegrations'), loadWords('adminHealth')];
    const [part] = await Promise.all([import('./system/integrations-section.tsx'), ...words]);
    return { default: part.IntegrationsSection };
  }),
  health: lazy(async () => {
    const [part] = await Promise.all([import('./system/health-section.tsx'), loadWords('adminHealth')]);
    return { default: part.HealthSection };
  }),
  billing: lazy(async () => {
    const [part] = await Promise.all([import('./billing/billing-section.tsx'), loadWords('adminBilling')]);
    return { default: part.BillingSection };
  }),
  settings: lazy(async () => {
    const words = [loadWords('adminSettings'), loadWords('adminHealth')];
    const [part] = await Promise.all([import('./settings/settings-section.tsx'), ...words]);
    return { default: part.SettingsSection };
  }),
};

/** The operator's place: one page, its sections are tabs. */
export function ConsolePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const pathname = useLocation({ select: (location) => location.pathname });
  // on the way out the address is another page's already, and no section of ours
  const [own, setOwn] = useState(pathname);
  if (pathname !== own && pathname.startsWith('/admin')) setOwn(pathname);
  const { name, section } = sectionAt(own);
  const Part = section && parts[section];
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // on a phone the tabs are wider than the screen
    tabs.current
      ?.querySelector(`[role=tab][data-section=${section}]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [section]);
  return (
    <Page title={t('admin.title')} subtitle={t('admin.subtitle')}>
      <Tabs
        value={section}
        onChange={(value) => {
          void navigate({ to: value === 'overview' ? '/admin' : `/admin/${value}`, replace: true });
        }}
      >
        <TabList ref={tabs} className={styles.tabs} aria-label={t('admin.sections')}>
          {sections.map((one) => (
            <Tab key={one} value={one} data-section={one}>
              {t(`admin.section.${one}`)}
            </Tab>
          ))}
        </TabList>
        {Part
          ? sections.map((one) => (
              <TabPanel key={one} value={one} className={styles.panel}>
                <Suspense fallback={<SkeletonRows rows={4} label={t('shell.loading')} />}>
                  <Part />
                </Suspense>
              </TabPanel>
            ))
          : null}
      </Tabs>
      {Part ? null : (
        <Panel>
          <EmptyState art="building" title={name} text={t('admin.underDevelopment')} />
        </Panel>
      )}
    </Page>
  );
}
