import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Preferences } from '#ui/preferences.tsx';
import { localeFor, speakAs } from './i18n.ts';
import { type SessionUser, sessionQuery } from './session.ts';

function preferencesOf(user: SessionUser): Preferences {
  const { timezone, locale, timeFormat, dateFormat, weekStart, weekends, weekNumbers, moreZones } = user;
  const { theme, density } = user;
  const calendar = { weekStart, weekends, weekNumbers, moreZones };
  return { zone: timezone, locale: localeFor(locale), timeFormat, dateFormat, ...calendar, theme, density };
}

/** Returns the signed-in person with their display settings; null between the sign-out and the change of route. */
export function useSessionUser(): { user: SessionUser; preferences: Preferences } | null {
  const { data: user } = useQuery(sessionQuery);
  const locale = user?.locale;
  useEffect(() => {
    if (locale !== undefined) void speakAs({ locale });
  }, [locale]);
  return useMemo(() => (user ? { user, preferences: preferencesOf(user) } : null), [user]);
}
