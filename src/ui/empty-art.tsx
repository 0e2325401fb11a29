import type { ReactNode } from 'react';
import styles from './empty-art.module.css';

export type ArtName = 'calendars' | 'mirrors' | 'meetings' | 'building' | 'mail' | 'missing';

/** 1.5 px lines in the text colour with one brand tint; every picture is built around the two blocks of the logo. */
const pictures: Record<ArtName, ReactNode> = {
  calendars: (
    <>
      <rect className={styles.tint} x="40" y="34" width="40" height="44" rx="8" />
      <rect x="16" y="18" width="46" height="48" rx="8" />
      <path d="M16 32h46M28 12v10M50 12v10M26 42h8M42 42h10M26 52h12" />
      <path d="M74 12v14M67 19h14" />
    </>
  ),
  mirrors: (
    <>
      <rect className={styles.tint} x="46" y="38" width="34" height="34" rx="8" />
      <rect x="16" y="22" width="34" height="34" rx="8" />
      <path d="M24 34h16M24 43h10M58 18c10 0 16 6 16 15M70 29l4 5 4-5M36 78c-10 0-16-6-16-15M24 67l-4-5-4 5" />
    </>
  ),
  meetings: (
    <>
      <rect className={styles.tint} x="22" y="48" width="52" height="24" rx="7" />
      <rect x="14" y="20" width="52" height="24" rx="7" />
      <path d="M24 32h20M32 60h16M74 26l5 5 9-10" />
    </>
  ),
  building: (
    <>
      <rect className={styles.tint} x="48" y="22" width="32" height="32" rx="8" />
      <rect x="16" y="42" width="32" height="32" rx="8" strokeDasharray="4 4" />
      <path d="M52 74h28M66 60v14" />
    </>
  ),
  mail: (
    <>
      <rect className={styles.tint} x="30" y="38" width="52" height="36" rx="8" />
      <rect x="14" y="22" width="56" height="40" rx="8" />
      <path d="m18 28 24 18 24-18" />
    </>
  ),
  missing: (
    <>
      <rect className={styles.tint} x="50" y="44" width="30" height="30" rx="8" />
      <rect x="16" y="18" width="30" height="30" rx="8" />
      <path d="M52 30h12M58 24v12M24 66h12" strokeDasharray="3 4" />
    </>
  ),
};

export function EmptyArt({ name }: { name: ArtName }) {
  return (
    <svg className={styles.art} width="96" height="96" viewBox="0 0 96 96" aria-hidden="true">
      {pictures[name]}
    </svg>
  );
}
