import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { sections } from './sections.ts';

/** A section that is announced but not built. */
export function ComingSoon() {
  const { t } = useTranslation();
  const { section } = useParams({ strict: false });
  const label = sections.find((one) => one.path === `/${section}`)?.label;
  return (
    <Page title={t(label ?? 'shell.comingSoon.title')}>
      <Panel>
        <EmptyState
          art="building"
          title={t('shell.comingSoon.title')}
          text={t('shell.comingSoon.text')}
          link={<Link to="/calendar">{t('shell.goToCalendar')}</Link>}
        />
      </Panel>
    </Page>
  );
}
