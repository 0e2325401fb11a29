import { createContext, useContext } from 'react';
import type { DeskDialogProps, OpenDesk } from './desk.tsx';

/** A hold that is to be made, from what is known of it already, or one that is looked at and changed. Epoch ms. */
export type HoldTask =
  | { kind: 'new'; title?: string; startMs?: number; endMs?: number; calendarId?: string }
  | { kind: 'edit'; holdId: string };

export type HoldDialogProps = DeskDialogProps<HoldTask>;

export const HoldDesk = createContext<OpenDesk<HoldTask>>(null);

/** Opens the one dialog of holds, from any screen. */
export const useHoldDesk = () => useContext(HoldDesk);
