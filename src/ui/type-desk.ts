import { createContext, useContext } from 'react';
import type { DeskDialogProps, OpenDesk } from './desk.tsx';

/** An event type that is to be made. */
type TypeTask = 'new';

export type TypeDialogProps = DeskDialogProps<TypeTask>;

export const TypeDesk = createContext<OpenDesk<TypeTask>>(null);

/** Opens the one dialog that makes event types, from any screen. */
export const useTypeDesk = () => useContext(TypeDesk);
