import { useTranslation } from 'react-i18next';
import { Panel } from '#ui/page.tsx';
import { type Density, type Theme, useChangePreferences, usePreferences } from '#ui/preferences.tsx';
import { Segmented } from '#ui/segmented.tsx';
import styles from './appearance-panel.module.css';

/** Colours and density. Takes effect at once. */
export function AppearancePanel() {
  const { t } = useTranslation();
  const { theme, density } = usePreferences();
  const change = useChangePreferences();
  return (
    <Panel title={t('accounts.appearance.title')} text={t('accounts.appearance.text')}>
      <div className={styles.rows}>
        <div className={styles.row}>
          <span id="appearance-scheme">{t('accounts.appearance.scheme')}</span>
          <Segmented
            aria-labelledby="appearance-scheme"
            value={theme}
            onChange={(value) => change({ theme: value as Theme })}
            data={[
              { value: 'light', label: t('accounts.appearance.light') },
              { value: 'dark', label: t('accounts.appearance.dark') },
              { value: 'system', label: t('accounts.appearance.system') },
            ]}
          />
        </div>
        <div className={styles.row}>
          <span id="appearance-density">{t('accounts.appearance.density')}</span>
          <Segmented
            aria-labelledby="appearance-density"
            value={density}
            onChange={(value) => change({ density: value as Density })}
            data={[
              { value: 'comfortable', label: t('accounts.appearance.comfortable') },
              { value: 'compact', label: t('accounts.appearance.compact') },
            ]}
          />
        </div>
      </div>
    </Panel>
  );
}
