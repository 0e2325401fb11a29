import { IconX } from '@tabler/icons-react';
import { type PointerEventHandler, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import styles from './floating-card.module.css';

const gapPx = 8;

export interface FloatingCardProps {
  /** The element that the card is about; the card opens beside it. */
  anchor: HTMLElement;
  /** Opened by click or Enter: takes focus, a sheet on a phone. Otherwise a card that hover or focus brought. */
  pinned: boolean;
  titleId: string;
  onClose: () => void;
  onPointerEnter?: PointerEventHandler;
  onPointerLeave?: PointerEventHandler;
  children: ReactNode;
}

/**
 * The one card of the grid. Pinned it is the platform's modal dialog: focus stays inside, Escape closes, and focus goes
 * back to the event. Unpinned it never takes focus; whatever it shows can be reached by pinning it.
 */
export function FloatingCard(props: FloatingCardProps) {
  const { anchor, pinned, onClose } = props;
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null || !pinned) return;
    element.showModal();
    return () => element.close();
  }, [pinned]);

  // the content arrives in two steps (mirrors are fetched), so the place is computed again at every resize
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const place = () => placeBeside(element, anchor);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    return () => observer.disconnect();
  }, [anchor]);

  useEffect(() => {
    if (pinned) return;
    const close = () => onClose();
    // Capture: the grid scrolls, not the page.
    window.addEventListener('scroll', close, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', close, { capture: true });
  }, [pinned, onClose]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape is the dialog's own
    <dialog
      ref={dialog}
      className={styles.card}
      data-pinned={pinned || undefined}
      // Unpinned by attribute: `show()` would move focus into a card that only hover brought.
      open={pinned ? undefined : true}
      aria-labelledby={props.titleId}
      onClose={() => {
        if (dialog.current?.open === false) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
    >
      <div className={styles.body}>
        {pinned ? (
          <div className={styles.close}>
            <IconButton label={t('calendar.close')} onClick={() => dialog.current?.close()}>
              <IconX size={16} aria-hidden />
            </IconButton>
          </div>
        ) : null}
        {props.children}
      </div>
    </dialog>
  );
}

/** Right of the anchor where there is room, else left, else over it; always wholly in the window. */
function placeBeside(element: HTMLElement, anchor: HTMLElement): void {
  const target = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const { innerWidth, innerHeight } = window;
  const right = target.right + gapPx;
  const left = target.left - gapPx - width;
  const x = right + width <= innerWidth - gapPx ? right : left >= gapPx ? left : (innerWidth - width) / 2;
  const y = Math.min(Math.max(gapPx, target.top), Math.max(gapPx, innerHeight - height - gapPx));
  element.style.setProperty('--x', `${Math.round(x)}px`);
  element.style.setProperty('--y', `${Math.round(y)}px`);
}
