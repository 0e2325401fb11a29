/** True for a group in which at least one calendar is read for another; what an account leaves behind may be one alone. */
export function mirrorsAnything(
  members: readonly { calendarId: string; isSource: boolean; isTarget: boolean }[],
): boolean {
  return members.some(
    (source) => source.isSource && members.some((target) => target.isTarget && target.calendarId !== source.calendarId),
  );
}
