import { type InstallBrand, installBrand } from './brand.ts';
import styles from './logo.module.css';

/** Two rounded blocks that click into one: a slot and its mirror. A branded install shows the operator's logo. */
export function LogoMark({ size = 24, brand = installBrand }: { size?: number; brand?: InstallBrand }) {
  const { logo, darkLogo } = brand;
  if (logo) {
    const picture = (src: string, scheme?: string) => (
      <img className={styles.picture} data-scheme={scheme} src={src} height={size} alt="" />
    );
    if (!darkLogo) return picture(logo.src);
    return (
      <>
        {picture(logo.src, 'light')}
        {picture(darkLogo.src, 'dark')}
      </>
    );
  }
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect className={styles.back} x="8.5" y="2" width="13.5" height="13.5" rx="4" />
      <rect className={styles.front} x="2" y="8.5" width="13.5" height="13.5" rx="4" />
      <path className={styles.overlap} d="M8.5 12.5a4 4 0 0 1 4-4h3v3a4 4 0 0 1-4 4h-3z" />
    </svg>
  );
}

export function Logo({ name, brand = installBrand }: { name: string; brand?: InstallBrand }) {
  const { logo } = brand;
  // a wide one has the name in it
  const isWide = logo !== undefined && logo.width > 2 * logo.height;
  return (
    <span className={styles.logo}>
      <LogoMark size={logo ? 28 : 24} brand={brand} />
      <span className={isWide ? styles.spoken : undefined}>{name}</span>
    </span>
  );
}
