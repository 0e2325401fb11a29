import { createContext, useContext } from 'react';
import type { DeskDialogProps, OpenDesk } from './desk.tsx';

/**
 * Questions that a person can ask: why an event was (not) copied to a calendar, or to any; why a time or an event is
 * busy. The question why an event type does not offer a time leads to a choice of the time.
 */
export type Question =
  | { about: 'mirrors'; eventId: string; calendarId?: string }
  | { about: 'busy'; eventId: string }
  | { about: 'busy'; at: string /* ISO instant */ }
  | { about: 'slot'; eventTypeId: string; title: string };

export type ExplainPanelProps = DeskDialogProps<Question>;

export const ExplainDesk = createContext<OpenDesk<Question>>(null);

/** Opens the one panel that explains: `const explain = useExplain(); explain?.({ about: 'mirrors', eventId })`. */
export const useExplain = () => useContext(ExplainDesk);
