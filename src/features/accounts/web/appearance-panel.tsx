import { useTranslation } from 'react-i18next';
import { type ColorScheme, useColorScheme } from '#ui/color-scheme.ts';
import { type Density, setDensity, useDensity } from '#ui/density.ts';
import { Panel } from '#ui/page.tsx';
import { Segmented } from '#ui/segmented.tsx';
import styles from './appearance-panel.module.css';

/** Kept on this device: colours and density. Takes effect at once. */
export function AppearancePanel() {
  const { t } = useTranslation();
  const { scheme, setScheme } = useColorScheme();
  const density = useDensity();
  return (
    <Panel title={t('accounts.appearance.title')} text={t('accounts.appearance.text')}>
      <div className={styles.rows}>
        <div className={styles.row}>
          <span id="appearance-scheme">{t('accounts.appearance.scheme')}</span>
          <Segmented
            aria-labelledby="appearance-scheme"
            value={scheme}
            onChange={(value) => setScheme(value as ColorScheme)}
            data={[
              { value: 'light', label: t('accounts.appearance.light') },
              { value: 'dark', label: t('accounts.appearance.dark') },
              { value: 'auto', label: t('accounts.appearance.system') },
            ]}
          />
        </div>
        <div className={styles.row}>
          <span id="appearance-density">{t('accounts.appearance.density')}</span>
          <Segmented
            aria-labelledby="appearance-density"
            value={density}
            onChange={(value) => setDensity(value as Density)}
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
