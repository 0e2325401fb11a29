import { useState } from 'react';
import { initialsOf as initialsOfName } from '#kernel/text/trim-text.ts';
import styles from './avatar.module.css';

/** Initials of the name, else the first letter of the address, else U. */
export function initialsOf(name: string | null | undefined, email: string | null | undefined): string {
  return (initialsOfName(name ?? '') || initialsOfName(email ?? '') || 'U').toUpperCase();
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
