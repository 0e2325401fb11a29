import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/tabs.tsx';
import styles from './console-page.module.css';
import { readConsoleSearch, sections } from './sections.ts';
import { SettingsSection } from './settings-section.tsx';

/** The operator's place: one page, its sections are tabs. */
export function ConsolePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { section = 'overview' } = readConsoleSearch(useSearch({ strict: false }));
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
          void navigate({ to: '/admin', search: readConsoleSearch({ section: value }), replace: true });
        }}
      >
        <TabList ref={tabs} className={styles.tabs} aria-label={t('admin.sections')}>
          {sections.map((one) => (
            <Tab key={one} value={one} data-section={one}>
              {t(`admin.section.${one}`)}
            </Tab>
          ))}
        </TabList>
        {sections.map((one) => (
          <TabPanel key={one} value={one} className={styles.panel}>
            {one === 'settings' ? (
              <SettingsSection />
            ) : (
              <Panel>
                <EmptyState art="building" title={t(`admin.section.${one}`)} text={t('admin.underDevelopment')} />
              </Panel>
            )}
          </TabPanel>
        ))}
      </Tabs>
    </Page>
  );
}
