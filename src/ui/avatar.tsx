import styles from './avatar.module.css';

/** Initials of the name, else the first letter of the address, else U. */
export function initialsOf(name: string | null | undefined, email: string | null | undefined): string {
  const words = (name ?? '').trim().split(/\s+/u).filter(Boolean);
  const first = words[0]?.[0];
  const last = words.length > 1 ? words.at(-1)?.[0] : '';
  if (first) return (first + (last ?? '')).toUpperCase();
  return email?.[0]?.toUpperCase() ?? 'U';
}

export function Avatar({ initials }: { initials: string }) {
  return (
    <span className={styles.avatar} aria-hidden="true">
      {initials}
    </span>
  );
}
