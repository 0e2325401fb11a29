import { useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react';
import type { Zone } from '#kernel/time/zones.ts';
import { loadWords } from '#ui/load-words.ts';
import type { CalendarSearch } from '../calendar-search.ts';
import type { NewRange } from '../drag-times.ts';
import type { EventTimes } from '../wall-clock.ts';
import type { Edit } from './edit-shapes.ts';
import { startOn } from './start-on.ts';

/** An action that a person starts on an event. */
export type EditTask =
  /** A few fields beside the span that was drawn. */
  | { kind: 'quick'; range: NewRange; anchor: HTMLElement }
  /** The whole form for a new event, from a local start or for the next free hour. */
  | ({ kind: 'create'; start: string } & Pick<CalendarSearch, 'minutes' | 'title' | 'link' | 'notes'>)
  | { kind: 'edit'; eventId: string }
  | { kind: 'move'; eventId: string; times: EventTimes }
  | { kind: 'delete'; eventId: string }
  /** The whole form with what another event has: at its times, from a local start, or on another day. */
  | { kind: 'copy'; eventId: string; start?: string | undefined; day?: string }
  /** A conflict: the person sees both and chooses. */
  | { kind: 'settle'; edit: Edit };

const noTask = {
  edit: undefined,
  new: undefined,
  minutes: undefined,
  title: undefined,
  link: undefined,
  notes: undefined,
} as const;

const EditingContext = createContext<((task: EditTask) => void) | null>(null);

/** Begins a task: `const edit = useEditing(); edit?.({ kind: 'delete', eventId })`. Null where nothing is edited. */
export function useEditing(): ((task: EditTask) => void) | null {
  return useContext(EditingContext);
}

const loadDesk = async () => {
  const [desk] = await Promise.all([import('./editing-desk.tsx'), loadWords('editor')]);
  return { default: desk.EditingDesk };
};
const EditingDesk = lazy(loadDesk);

/**
 * Around what shows events. Its own code is the door; the desk behind it is fetched once the page stands, so that a drop
 * or a click finds it. The address opens it too: `edit=<event_id>`, `new=<local start>` with `minutes`, `title`,
 * `link` and `notes`.
 */
export function EditingProvider({
  zone,
  children,
}: {
  /** In which the grid is read. */
  zone: Zone;
  children: ReactNode;
}) {
  const [task, setTask] = useState<EditTask>();
  // Once it is there it stays: what it has sent may still be asked about when its task is done.
  const [opened, setOpened] = useState(false);
  const begin = useCallback((next: EditTask) => {
    setOpened(true);
    setTask(next);
  }, []);
  const navigate = useNavigate();
  const search: CalendarSearch = useSearch({ strict: false });
  const { edit: asked, new: start, day, minutes, title, link, notes } = search;
  useEffect(() => {
    if (asked !== undefined) begin({ kind: 'edit', eventId: asked });
    else if (start !== undefined) begin({ kind: 'create', start: startOn(start, day), minutes, title, link, notes });
  }, [asked, start, day, minutes, title, link, notes, begin]);
  useEffect(() => {
    const timer = setTimeout(() => void loadDesk().then(() => setOpened(true)), 1_000);
    return () => clearTimeout(timer);
  }, []);
  const isAddressed = asked !== undefined || start !== undefined;
  const done = useCallback(() => {
    setTask(undefined);
    if (!isAddressed) return;
    // undefined drops a key from the address
    void navigate({
      to: '/calendar',
      search: (before: CalendarSearch) => ({ ...before, ...noTask }),
      replace: true,
    });
  }, [isAddressed, navigate]);
  return (
    <EditingContext value={begin}>
      {children}
      {opened ? (
        <Suspense>
          <EditingDesk task={task} zone={zone} day={day} onTask={begin} onDone={done} />
        </Suspense>
      ) : null}
    </EditingContext>
  );
}
