import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { KeyCaps } from '#ui/key-caps.tsx';
import styles from './event-menu.module.css';

export interface MenuAct {
  label: string;
  keys?: string;
  run: () => void;
}

export interface EventMenuProps {
  /** The point of the window at which it opens. */
  at: { x: number; y: number };
  label: string;
  acts: readonly MenuAct[];
  onClose: () => void;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: 0, End: 0 };
const edgePx = 8;

/** A menu at the pointer, closed by a press beside it, Escape, or Tab. */
export function EventMenu({ at, label, acts, onClose }: EventMenuProps) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    element.showPopover?.();
    const { offsetWidth, offsetHeight } = element;
    const x = Math.max(edgePx, Math.min(at.x, window.innerWidth - offsetWidth - edgePx));
    const y = Math.max(edgePx, Math.min(at.y, window.innerHeight - offsetHeight - edgePx));
    element.style.setProperty('--x', `${x}px`);
    element.style.setProperty('--y', `${y}px`);
    element.querySelector('button')?.focus();
  }, [at]);
  // `auto` would close at the release of the press that opened it.
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && root.current?.contains(target))) onClose();
    };
    document.addEventListener('pointerdown', onPress, true);
    return () => document.removeEventListener('pointerdown', onPress, true);
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (event.key === 'Tab' || event.key === 'Escape') onClose();
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const items = [...(root.current?.querySelectorAll('button') ?? [])];
    const here = items.indexOf(document.activeElement as HTMLButtonElement);
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? -1 : (here + step) % items.length;
    items.at(next)?.focus();
  };
  return (
    <div
      ref={root}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={styles.menu}
      onKeyDown={onKeyDown}
    >
      {acts.map((act) => (
        <button
          key={act.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={styles.act}
          onClick={() => {
            onClose();
            act.run();
          }}
        >
          <span>{act.label}</span>
          {act.keys === undefined ? null : (
            <span aria-hidden="true">
              <KeyCaps keys={act.keys} />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
