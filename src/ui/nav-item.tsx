import { IconChevronsRight, type IconProps } from '@tabler/icons-react';
import type { ComponentPropsWithRef, ComponentType } from 'react';
import styles from './nav-item.module.css';

export interface NavItemProps extends Omit<ComponentPropsWithRef<'a'>, 'children'> {
  icon: ComponentType<IconProps>;
  label: string;
}

/** A section in the sidebar: an ordinary link, so a router can give it its behaviour. */
export function NavItem({ icon: Icon, label, ...rest }: NavItemProps) {
  return (
    <a {...rest} className={styles.item} title={label}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span>{label}</span>
    </a>
  );
}

/** The last of a sidebar: makes it a rail of icons, and back. */
export function NavToggle({ label, isRail, onClick }: { label: string; isRail: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`${styles.item} ${styles.toggle}`}
      title={label}
      aria-keyshortcuts="["
      data-rail={isRail || undefined}
      onClick={onClick}
    >
      <IconChevronsRight size={18} stroke={1.6} aria-hidden />
      <span>{label}</span>
    </button>
  );
}

/** The same section in the bar at the bottom of a phone. */
export function BottomNavItem({ icon: Icon, label, ...rest }: NavItemProps) {
  return (
    <a {...rest} className={styles.bottomItem}>
      <Icon size={22} stroke={1.6} aria-hidden />
      <span>{label}</span>
    </a>
  );
}
