import { useTranslation } from 'react-i18next';
import { Page, Panel } from '#ui/page.tsx';
import { ContactSupport } from './contact-support.tsx';
import { DocsSearch } from './docs-search.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './help-page.module.css';

export function HelpPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('help.title')} subtitle={t('help.subtitle')}>
      <div className={styles.page}>
        <div className={styles.cards}>
          <Panel title={t('help.steps.title')} text={t('help.steps.text')}>
            <FirstSteps />
          </Panel>
          <Panel title={t('help.support.title')} text={t('help.support.text')}>
            <ContactSupport />
          </Panel>
        </div>
        <Panel title={t('help.search.title')} text={t('help.search.text')}>
          <DocsSearch />
        </Panel>
      </div>
    </Page>
  );
}
