/** True for a group in which at least one calendar is read for another; what an account leaves behind may be one alone. */
export function mirrorsAnything(
  members: readonly { calendarId: string; isSource: boolean; isTarget: boolean }[],
): boolean {
  return members.some(
    (source) => source.isSource && members.some((target) => target.isTarget && target.calendarId !== source.calendarId),
  );
}

interface Mirroring {
  members: readonly { calendarId: string; isSource: boolean; isTarget: boolean }[];
  pairs: readonly { sourceCalendarId: string; targetCalendarId: string; enabled: boolean }[];
}

/** True if at least one calendar of an account gets blocks from another account. */
export function isAccountBlocked(groups: readonly Mirroring[], ownIds: readonly string[]): boolean {
  return groups.some(({ members, pairs }) => {
    const isOff = (source: string, target: string) =>
      pairs.some((pair) => pair.sourceCalendarId === source && pair.targetCalendarId === target && !pair.enabled);
    return members.some(
      ({ calendarId: target, isTarget }) =>
        isTarget &&
        ownIds.includes(target) &&
        members.some(
          ({ calendarId: source, isSource }) => isSource && !ownIds.includes(source) && !isOff(source, target),
        ),
    );
  });
}

/** True for an account whose writable calendars block others, while other calendars that could block it don't. */
export function lacksBlocks(
  groups: readonly Mirroring[],
  account: readonly { calendarId: string; writable: boolean }[],
): boolean {
  const ownIds = account.map((calendar) => calendar.calendarId);
  const isWritable = (id: string) => account.some((calendar) => calendar.calendarId === id && calendar.writable);
  const couldBeBlocked = groups.some(
    ({ members }) =>
      members.some((member) => member.isSource && isWritable(member.calendarId)) &&
      members.some((member) => member.isSource && !ownIds.includes(member.calendarId)),
  );
  return couldBeBlocked && !isAccountBlocked(groups, ownIds);
}
