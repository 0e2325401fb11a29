import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Menu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

/** A menu that opens from `trigger` (a button). Arrow keys, Home, End, typing and Escape work as people expect. */
export function ActionMenu({
  trigger,
  defaultOpened = false,
  children,
}: {
  trigger: ReactElement;
  /** For a menu whose code is fetched by the press that opens it. */
  defaultOpened?: boolean;
  children: ReactNode;
}) {
  return (
    <Menu
      defaultOpened={defaultOpened}
      // The placeholder is a focusable element inside role=menu that is no item.
      withInitialFocusPlaceholder={false}
      position="bottom-end"
      width={220}
      radius="var(--hf-radius-panel)"
      transitionProps={{ transition: 'fade-down', duration: 120 }}
      classNames={{ dropdown: styles.dropdown, item: styles.item, label: styles.label }}
    >
      <Menu.Target>{trigger}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

export const MenuItem = Menu.Item;
export const MenuLabel = Menu.Label;
export const MenuDivider = Menu.Divider;
