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

/** A hold that is to be made, from what is known of it already, or one that is looked at and changed. Epoch ms. */
export type HoldTask =
  | { kind: 'new'; title?: string; startMs?: number; endMs?: number; calendarId?: string }
  | { kind: 'edit'; holdId: string };

export interface HoldDialogProps {
  task: HoldTask;
  onClose: () => void;
}

const HoldContext = createContext<((task: HoldTask) => void) | null>(null);

/** Opens the one dialog of holds, from any screen. Null where nobody is signed in: no button for it is shown there. */
export function useHoldDesk(): ((task: HoldTask) => void) | null {
  return useContext(HoldContext);
}

/** Around the screens of somebody signed in. The dialog's code is fetched when it is first needed. */
export function HoldDesk({
  loadDialog,
  children,
}: {
  loadDialog: () => Promise<ComponentType<HoldDialogProps>>;
  children: ReactNode;
}) {
  const Dialog = useMemo(() => lazy(async () => ({ default: await loadDialog() })), [loadDialog]);
  const [task, setTask] = useState<HoldTask | null>(null);
  const close = useCallback(() => setTask(null), []);
  return (
    <HoldContext value={setTask}>
      {children}
      {task === null ? null : (
        <Suspense>
          <Dialog key={JSON.stringify(task)} task={task} onClose={close} />
        </Suspense>
      )}
    </HoldContext>
  );
}
