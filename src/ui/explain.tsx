import {
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useState,
} from 'react';

/**
 * What a person may ask: why an event was (not) copied to a calendar, or to any; why a time, or an event, is busy; why a time
 * of an event type is not offered, which they then choose.
 */
export type Question =
  | { about: 'mirrors'; eventId: string; calendarId?: string }
  | { about: 'busy'; eventId: string }
  | { about: 'busy'; at: string /* ISO instant */ }
  | { about: 'slot'; eventTypeId: string; title: string };

export interface ExplainPanelProps {
  question: Question;
  onClose: () => void;
}

const ExplainContext = createContext<((question: Question) => void) | null>(null);

/**
 * Opens the one panel that explains: `const explain = useExplain(); explain?.({ about: 'mirrors', eventId })`. Null where
 * nobody is signed in or nothing explains; a button for it is not shown there.
 */
export function useExplain(): ((question: Question) => void) | null {
  return useContext(ExplainContext);
}

/** Around the screens of somebody signed in. The panel's code is fetched when it is first asked something. */
export function ExplainProvider({
  loadPanel,
  children,
}: {
  loadPanel: () => Promise<ComponentType<ExplainPanelProps>>;
  children: ReactNode;
}) {
  const Panel = useMemo(() => lazy(async () => ({ default: await loadPanel() })), [loadPanel]);
  const [question, setQuestion] = useState<Question | null>(null);
  const close = useCallback(() => setQuestion(null), []);
  return (
    <ExplainContext value={setQuestion}>
      {children}
      {question === null ? null : (
        <Suspense>
          <Panel key={JSON.stringify(question)} question={question} onClose={close} />
        </Suspense>
      )}
    </ExplainContext>
  );
}
