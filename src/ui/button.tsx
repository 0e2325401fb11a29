import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import { ActionIcon, type ActionIconProps, type ButtonProps, Button as LibraryButton } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';

/** `filled` for the one primary action of a view, `default` beside it, `subtle` inside rows. */
export const Button = LibraryButton.withProps({ size: 'sm', classNames: { root: styles.button } });

/** A link that looks like a button; a router's `createLink` gives it its behaviour. */
export function ButtonAnchor(props: ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>) {
  return <Button component="a" {...props} />;
}

export interface ActionButtonProps extends ComponentPropsWithRef<'button'> {
  /** The action is under way: the label says so and a second press does nothing. Focus stays. */
  pending: boolean;
  pendingLabel: ReactNode;
  variant?: 'filled' | 'default' | 'subtle';
  color?: 'brand' | 'bad';
  size?: 'xs' | 'sm';
  fullWidth?: boolean;
  leftSection?: ReactNode;
}

/** A button whose action takes time: "Save" becomes "Saving...", never a double submit. */
export function ActionButton({
  pending,
  pendingLabel,
  children,
  onClick,
  type = 'submit',
  ...rest
}: ActionButtonProps) {
  return (
    <Button
      {...rest}
      type={type}
      aria-disabled={pending || undefined}
      data-pending={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending ? pendingLabel : children}
    </Button>
  );
}

export interface IconButtonProps extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  /** What it does, for those who do not see the icon and for the tooltip. */
  label: string;
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="var(--hf-control)"
      {...rest}
      aria-label={label}
      title={label}
      className={styles.icon}
    >
      {children}
    </ActionIcon>
  );
}
