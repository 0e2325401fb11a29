import type { ComponentPropsWithRef, CSSProperties, ReactNode } from 'react';
import styles from './button.module.css';

/** How a button looks: `filled` for the one primary action of a view, `default` beside it, `subtle` inside rows. */
interface ButtonLook {
  variant?: 'filled' | 'default' | 'subtle' | undefined;
  color?: 'brand' | 'bad' | 'gray' | undefined;
  size?: 'xs' | 'sm' | undefined;
  fullWidth?: boolean | undefined;
  /** Where its words stand when it is wider than they are. */
  justify?: 'center' | 'flex-start' | undefined;
  leftSection?: ReactNode;
  rightSection?: ReactNode;
}

export interface ButtonProps extends ButtonLook, Omit<ComponentPropsWithRef<'button'>, 'color'> {}
export interface ButtonAnchorProps extends ButtonLook, Omit<ComponentPropsWithRef<'a'>, 'color'> {}

const classesOf = (...names: (string | undefined)[]) => names.filter(Boolean).join(' ');

function lookOf<P extends ButtonAnchorProps | ButtonProps>({
  variant = 'filled',
  color = 'brand',
  size = 'sm',
  fullWidth,
  justify,
  leftSection,
  rightSection,
  className,
  children,
  ...rest
}: P) {
  return {
    ...rest,
    className: classesOf(styles.button, className),
    'data-variant': variant,
    'data-color': color,
    'data-size': size,
    'data-block': fullWidth || undefined,
    'data-justify': justify,
    children: (
      <>
        {leftSection ? <span className={styles.left}>{leftSection}</span> : null}
        <span className={styles.label}>{children}</span>
        {rightSection ? <span className={styles.right}>{rightSection}</span> : null}
      </>
    ),
  };
}

export function Button(props: ButtonProps) {
  return <button type="button" {...lookOf(props)} />;
}

/** A link that looks like a button; a router's `createLink` gives it its behaviour. */
export function ButtonAnchor(props: ButtonAnchorProps) {
  return <a {...lookOf(props)} />;
}

export interface ActionButtonProps extends ButtonProps {
  /** The action is under way: the label says so and a second press does nothing. Focus stays. */
  pending: boolean;
  pendingLabel: ReactNode;
}

/** The second press of a double-click arrives before a screen knows that the first one began something. */
export const isDoublePress = (event: { detail: number }) => event.detail > 1;

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
        if (pending || isDoublePress(event)) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending ? pendingLabel : children}
    </Button>
  );
}

export interface IconButtonProps extends ComponentPropsWithRef<'button'> {
  /** Action of the button, for screen readers and the tooltip. */
  label: string;
  /** Width and height in px, where it is not a control's. */
  size?: number;
}

export function IconButton({ label, size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classesOf(styles.icon, className)}
      style={size === undefined ? rest.style : ({ '--hf-control': `${size}px`, ...rest.style } as CSSProperties)}
    />
  );
}
