import { type Say, sayDuration } from '../rules/fill-words.ts';
import type { Moments } from './moments.ts';

/** The deadline for changes, before a time is chosen. *Units*: minutes before the start. */
export function sayNotice(say: Say, minutes: number): string {
  if (minutes === 0) return say('change.until-start');
  const days = minutes / 1440;
  const notice = days > 1 && Number.isInteger(days) ? say('days', { n: days }) : sayDuration(say, minutes);
  return say('change.notice', { notice });
}

export const sayUntil = ({ moment, offsetAt }: Moments, minute: number) => moment(minute) + offsetAt(minute);

/** The deadline for changing one booking, in the zone of its reader. *Units*: epoch minutes. */
export function sayDeadline(say: Say, moments: Moments, at: { start: number; until: number }): string {
  return at.until >= at.start ? say('change.until-start') : say('change.until', { time: sayUntil(moments, at.until) });
}
