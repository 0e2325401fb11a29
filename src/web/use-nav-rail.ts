import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useMediaQuery } from '#ui/use-media-query.ts';

/** One choice for the calendar, which needs the room, and one for the other screens; kept in this browser. */
const keyOf = { calendar: 'holdfast-nav-calendar', others: 'holdfast-nav' };

/** Whether the navigation shows icons only, and the change of it. */
export function useNavRail(): { isRail: boolean; toggle: () => void } {
  const isCalendar = useLocation({ select: ({ pathname }) => pathname === '/calendar' });
  const isNarrow = useMediaQuery(`(max-width: ${isCalendar ? 1599 : 1199}px)`);
  const [, setChanges] = useState(0);
  const key = isCalendar ? keyOf.calendar : keyOf.others;
  const chosen = localStorage.getItem(key);
  const isRail = chosen === null ? isNarrow : chosen === 'rail';
  const toggle = () => {
    localStorage.setItem(key, isRail ? 'words' : 'rail');
    setChanges((before) => before + 1);
  };
  return { isRail, toggle };
}
