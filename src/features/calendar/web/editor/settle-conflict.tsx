import { useState } from 'react';
import { useErrorText } from '#ui/error-state.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { useEditCalls } from './edit-calls.ts';
import type { Edit } from './edit-shapes.ts';

/** An edit that met a change made elsewhere: the person chooses, the server carries it out. */
export function SettleConflict({ edit, onClose }: { edit: Edit; onClose: () => void }) {
  const calls = useEditCalls();
  const errorText = useErrorText();
  const [pending, setPending] = useState<'mine' | 'theirs' | null>(null);
  const [error, setError] = useState<string>();
  const keep = async (whose: 'mine' | 'theirs') => {
    if (pending !== null) return;
    setPending(whose);
    try {
      await calls.choose(edit.edit_id, whose);
      onClose();
    } catch (refusal) {
      setPending(null);
      setError(errorText(refusal));
    }
  };
  return (
    <ConflictDialog
      title={edit.title}
      mine={edit.mine}
      theirs={edit.theirs}
      pending={pending}
      error={error}
      onKeep={(whose) => void keep(whose)}
      onClose={onClose}
    />
  );
}
