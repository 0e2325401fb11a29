import { useTranslation } from 'react-i18next';
import { PageTabs } from '#ui/page-tabs.tsx';
import { TabLink } from './tab-link.ts';

export function AvailabilityTabs() {
  const { t } = useTranslation();
  return (
    <PageTabs label={t('shell.section.availability')}>
      <TabLink to="/availability" activeOptions={{ exact: true }}>
        {t('shell.section.availability')}
      </TabLink>
      <TabLink to="/availability/links">{t('shell.links')}</TabLink>
    </PageTabs>
  );
}
