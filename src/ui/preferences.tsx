import { createContext, type ReactNode, useContext } from 'react';

/** How this person reads dates and times. */
export interface Preferences {
  zone: string;
  locale: string;
  timeFormat: '12h' | '24h';
  dateFormat: string;
  /** ISO weekday, 7 = Sunday. */
  weekStart: number;
  /** Whether Saturday and Sunday are shown. */
  weekends: boolean;
  weekNumbers: boolean;
  /** Zones whose hours stand beside the person's own, at most two. */
  moreZones: readonly string[];
}

const PreferencesContext = createContext<Preferences>({
  zone: 'UTC',
  locale: 'en-US',
  timeFormat: '12h',
  dateFormat: 'YYYY-MM-DD',
  weekStart: 7,
  weekends: true,
  weekNumbers: false,
  moreZones: [],
});

export function PreferencesProvider({ value, children }: { value: Preferences; children: ReactNode }) {
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export function usePreferences(): Preferences {
  return useContext(PreferencesContext);
}
