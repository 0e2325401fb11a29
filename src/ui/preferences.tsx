import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useAppearance } from './appearance.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'comfortable' | 'compact';

/** How this person reads dates and times, and has their screens look. */
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
  theme: Theme;
  density: Density;
}

/** Preferences that can be changed in place; the others are in the profile. */
export type PreferencesChange = Partial<
  Pick<Preferences, 'zone' | 'weekends' | 'weekNumbers' | 'moreZones' | 'theme' | 'density'>
>;

/** Takes effect at once, and is kept for the person on every device. */
export type ChangePreferences = (change: PreferencesChange) => void;

const usual: Preferences = {
  zone: 'UTC',
  locale: 'en-US',
  timeFormat: '12h',
  dateFormat: 'YYYY-MM-DD',
  weekStart: 7,
  weekends: true,
  weekNumbers: false,
  moreZones: [],
  theme: 'system',
  density: 'comfortable',
};

const PreferencesContext = createContext<{ value: Preferences; change: ChangePreferences }>({
  value: usual,
  change: () => {},
});

export interface PreferencesProviderProps {
  value: Preferences;
  change: ChangePreferences;
  children: ReactNode;
}

/** Says below how somebody reads, and makes the page look as they want it. */
export function PreferencesProvider({ value, change, children }: PreferencesProviderProps) {
  useAppearance(value);
  const both = useMemo(() => ({ value, change }), [value, change]);
  return <PreferencesContext value={both}>{children}</PreferencesContext>;
}

export function usePreferences(): Preferences {
  return useContext(PreferencesContext).value;
}

export function useChangePreferences(): ChangePreferences {
  return useContext(PreferencesContext).change;
}
