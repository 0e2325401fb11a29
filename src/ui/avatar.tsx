import { useState } from 'react';
import styles from './avatar.module.css';

/** Initials of the name, else the first letter of the address, else U. */
export function initialsOf(name: string | null | undefined, email: string | null | undefined): string {
  const words = (name ?? '').trim().split(/\s+/u).filter(Boolean);
  const first = words[0]?.[0];
  const last = words.length > 1 ? words.at(-1)?.[0] : '';
  if (first) return (first + (last ?? '')).toUpperCase();
  return email?.[0]?.toUpperCase() ?? 'U';
}

/** The picture of somebody, a square of any size; initials where there is none or it does not load. */
export function Avatar({
  initials,
  picture = null,
  size = 'md',
}: {
  initials: string;
  picture?: string | null;
  size?: 'md' | 'lg';
}) {
  const [missing, setMissing] = useState<string | null>(null);
  return (
    <span className={styles.avatar} data-size={size} aria-hidden="true">
      {picture === null || picture === missing ? (
        initials
      ) : (
        <img src={picture} alt="" className={styles.picture} onError={() => setMissing(picture)} />
      )}
    </span>
  );
}
