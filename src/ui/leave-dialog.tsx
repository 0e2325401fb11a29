import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface LeaveDialogProps {
  opened: boolean;
  words: { title: string; text: string; leave: string; stay: string };
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before what was typed is lost; Escape, its cross and the button that has the focus stay. */
export function LeaveDialog({ opened, words, onLeave, onStay }: LeaveDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onStay}
      title={words.title}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onLeave}>
            {words.leave}
          </Button>
          <Button data-autofocus onClick={onStay}>
            {words.stay}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
    </Dialog>
  );
}
