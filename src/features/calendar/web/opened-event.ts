import { createContext } from 'react';

/** The event whose card the address opens, and how that ends; the views of the calendar read it. */
export interface OpenedEvent {
  opened: string | undefined;
  onClosed: () => void;
}

export const OpenedEventContext = createContext<OpenedEvent>({ opened: undefined, onClosed: () => {} });
