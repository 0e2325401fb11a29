import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { judgeColor } from '#kernel/brand-scale.ts';
import styles from './branding-panel.module.css';
import type { BrandLogo } from './branding-queries.ts';

type Judged = ReturnType<typeof judgeColor>;

export interface BrandingPreviewProps {
  name: string;
  steps: Judged['steps'];
  uses: Judged['uses'];
  logo: BrandLogo | null;
  darkLogo: BrandLogo | null;
}

/** A preview of the entered branding on light and dark ground, with its contrast. */
export function BrandingPreview({ name, steps, uses, logo, darkLogo }: BrandingPreviewProps) {
  const { t } = useTranslation();
  const brand = Object.fromEntries(steps.map((color, step) => [`--step-${step}`, color])) as CSSProperties;
  const logoOn = { light: logo, dark: darkLogo ?? logo };
  const schemes = ['light', 'dark'] as const;
  return (
    <div className={styles.preview} style={brand}>
      <h3>{t('adminSettings.branding.preview')}</h3>
      <div className={styles.cards}>
        {schemes.map((scheme) => {
          const picture = logoOn[scheme];
          const isWide = picture !== null && picture.width > 2 * picture.height;
          return (
            <section key={scheme} className={styles.card} data-ground={scheme}>
              <p className={styles.scheme}>{t(`adminSettings.branding.${scheme}`)}</p>
              <p className={styles.product}>
                {picture === null ? (
                  <span className={styles.dot} />
                ) : (
                  <img data-lone={scheme === 'dark' && darkLogo === null} src={picture.url} alt="" />
                )}
                {isWide ? null : name}
              </p>
              <span className={styles.sampleButton}>{t('adminSettings.branding.sampleButton')}</span>
              <span className={styles.sampleLink}>{t('adminSettings.branding.sampleLink')}</span>
            </section>
          );
        })}
      </div>
      <table className={styles.ratios}>
        <caption>{t('adminSettings.branding.contrast')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('adminSettings.branding.use')}</th>
            {schemes.map((scheme) => (
              <th key={scheme} scope="col">
                {t(`adminSettings.branding.${scheme}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(['button', 'link', 'outline'] as const).map((use) => (
            <tr key={use}>
              <th scope="row">
                {t(`adminSettings.branding.${use}`)}
                <small>{t('adminSettings.branding.least', { ratio: uses[use].least })}</small>
              </th>
              {schemes.map((scheme) => (
                <td key={scheme}>
                  <Ratio ratio={uses[use][scheme]} least={uses[use].least} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Ratio({ ratio, least }: { ratio: number; least: number }) {
  const { t } = useTranslation();
  const passes = ratio >= least;
  const Icon = passes ? IconCheck : IconAlertTriangle;
  return (
    <span className={styles.ratio} data-passes={passes}>
      <Icon size={15} stroke={2} aria-hidden />
      {t('adminSettings.branding.ratio', { ratio: (Math.floor(ratio * 10) / 10).toFixed(1) })}{' '}
      {t(passes ? 'adminSettings.branding.passes' : 'adminSettings.branding.fails')}
    </span>
  );
}
