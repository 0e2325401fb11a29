import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { iconOfState, type State, toneOfState } from './state.ts';
import styles from './toasts.module.css';
import { useWords } from './words.tsx';

export interface Toast {
  /** One toast per subject: a newer one takes the place of the older. */
  subject: string;
  state: State;
  message: string;
  action?: { label: string; run: () => void };
  /** How long it stays, where that is not five seconds. */
  staysMs?: number;
}

const STAYS_MS = 5_000;

interface Shown extends Toast {
  /** Grows with each showing, so that a repeated subject restarts its timer. */
  turn: number;
}

let shown: readonly Shown[] = [];
let turn = 0;
const listeners = new Set<() => void>();

function change(next: readonly Shown[]): void {
  shown = next;
  for (const notify of listeners) notify();
}

/** Says something bottom-left. Errors stay until they are closed; the rest leave after five seconds, or `staysMs`. */
export function showToast(toast: Toast): void {
  turn += 1;
  change([...shown.filter((one) => one.subject !== toast.subject), { ...toast, turn }]);
}

export function hideToast(subject: string): void {
  change(shown.filter((one) => one.subject !== subject));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live region; once per page, present before the first toast so that readers announce it. */
export function Toasts() {
  const words = useWords();
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <section
      className={styles.region}
      aria-label={words.notifications}
      aria-live="polite"
      aria-relevant="additions text"
    >
      {toasts.map((toast) => (
        <ToastCard key={`${toast.subject} ${toast.turn}`} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Shown }) {
  const words = useWords();
  const [held, setHeld] = useState(false);
  const leftMs = useRef(toast.staysMs ?? STAYS_MS);
  const stays = toast.state === 'bad';
  useEffect(() => {
    if (stays || held) return;
    const startedMs = performance.now();
    const timer = setTimeout(() => hideToast(toast.subject), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current = Math.max(1_000, leftMs.current - (performance.now() - startedMs));
    };
  }, [stays, held, toast.subject]);
  const Icon = iconOfState[toast.state];
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  const holdFocus = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) };
  return (
    <div className={styles.toast} data-tone={toneOfState[toast.state]} {...hold} {...holdFocus}>
      <Icon size={16} stroke={2.2} aria-hidden className={styles.icon} />
      <p className={styles.message}>{toast.message}</p>
      {toast.action ? (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            hideToast(toast.subject);
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </button>
      ) : null}
      <IconButton label={words.close} size={28} onClick={() => hideToast(toast.subject)}>
        <IconX size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
