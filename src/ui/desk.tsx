import {
  type ComponentType,
  type Context,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useMemo,
  useState,
} from 'react';

/** Props of the dialog that a provider opens: its task, and the way to close. */
export interface DeskDialogProps<Task> {
  task: Task;
  onClose: () => void;
}

/** Null where nobody is signed in: no button for it is shown there. */
export type OpenDesk<Task> = ((task: Task) => void) | null;

/**
 * Around the screens of somebody signed in: one dialog of a feature that any of them opens without knowing whose it is. Its
 * code is fetched when it is first needed.
 */
export function Desk<Task>({
  context: Opener,
  loadDialog,
  children,
}: {
  context: Context<OpenDesk<Task>>;
  loadDialog: () => Promise<ComponentType<DeskDialogProps<Task>>>;
  children: ReactNode;
}) {
  const Dialog = useMemo(() => lazy(async () => ({ default: await loadDialog() })), [loadDialog]);
  const [task, setTask] = useState<{ of: Task } | null>(null);
  const open = useCallback((of: Task) => setTask({ of }), []);
  const close = useCallback(() => setTask(null), []);
  return (
    <Opener value={open}>
      {children}
      {task === null ? null : (
        <Suspense>
          <Dialog key={JSON.stringify(task.of)} task={task.of} onClose={close} />
        </Suspense>
      )}
    </Opener>
  );
}
