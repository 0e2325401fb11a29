import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './suggestion-list.module.css';
import { markTyped, type Suggestion } from './suggestions.ts';

const gapPx = 4;
const mostPx = 320;
/** With less room below the field, the list opens above it. */
const leastPx = 180;

/** The listbox of a combobox, in the top layer, so that no dialog cuts it off. */
export function SuggestionList({
  id,
  field,
  typed,
  suggestions,
  active,
  onPick,
}: {
  id: string;
  field: RefObject<HTMLElement | null>;
  typed: string;
  suggestions: readonly Suggestion[];
  /** Index of the option that Enter takes; -1 for none. */
  active: number;
  onPick: (suggestion: Suggestion) => void;
}) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const place = () => {
      if (list.current !== null && field.current !== null) placeBelow(list.current, field.current);
    };
    list.current?.showPopover?.();
    place();
    const observer = new ResizeObserver(place);
    if (field.current !== null) observer.observe(field.current);
    // Capture: the form scrolls, not the page.
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [field]);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      popover="manual"
      aria-label={t('editor.suggestions')}
      className={styles.list}
    >
      {suggestions.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the field, which keeps the focus
        // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
        <div
          key={one.address}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles.option}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(one)}
        >
          <span className={styles.who}>
            {one.name === null || one.name === '' ? null : (
              <span className={styles.name} dir="auto">
                <Marked text={one.name} typed={typed} />
              </span>
            )}
            <span className={one.name ? styles.address : styles.name}>
              <Marked text={one.address} typed={typed} />
            </span>
          </span>
          {one.in_team ? <span className={styles.team}>{t('editor.teammate')}</span> : null}
        </div>
      ))}
    </div>
  );
}

function Marked({ text, typed }: { text: string; typed: string }) {
  return markTyped(text, typed).map(({ part, isTyped }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text never change places
    isTyped ? <mark key={index}>{part}</mark> : part,
  );
}

/** As wide as the field, below it where there is room; always inside the window. */
function placeBelow(list: HTMLElement, field: HTMLElement): void {
  const box = field.getBoundingClientRect();
  // Without the keyboard of a phone.
  const seen = window.visualViewport;
  const edge = (seen?.offsetTop ?? 0) + (seen?.height ?? window.innerHeight);
  const below = edge - box.bottom - 2 * gapPx;
  const above = box.top - 2 * gapPx;
  const isBelow = below >= Math.min(leastPx, list.scrollHeight) || below >= above;
  list.style.left = `${box.left}px`;
  list.style.width = `${box.width}px`;
  list.style.maxHeight = `${Math.min(mostPx, isBelow ? below : above)}px`;
  list.style.top = isBelow ? `${box.bottom + gapPx}px` : 'auto';
  list.style.bottom = isBelow ? 'auto' : `${window.innerHeight - box.top + gapPx}px`;
}
