import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { type GraphCall, needRead } from './graph-call.ts';
import { itemNotFound } from './graph-errors.ts';
import { calendarId, groupId } from './item-ids.ts';
import { selectFrom } from './present-event.ts';
import { pageOf } from './read-events.ts';
import { readSelect } from './read-query.ts';
import type { Calendar } from './world.ts';

function presentCalendar({ mailbox }: GraphCall, calendar: Calendar): Record<string, unknown> {
  const own = calendar.owner.address === mailbox.address;
  return {
    id: calendarId(mailbox, calendar),
    name: calendar.name,
    color: calendar.color,
    hexColor: calendar.hexColor,
    groupClassId: '0006f0b7-0000-0000-c000-000000000046',
    isDefaultCalendar: calendar.isDefault,
    changeKey: Buffer.from(`calendar ${calendar.key} ${calendar.name}`).toString('base64'),
    canShare: own,
    canViewPrivateItems: calendar.canViewPrivateItems,
    canEdit: calendar.canEdit,
    allowedOnlineMeetingProviders: mailbox.personal ? [] : ['teamsForBusiness'],
    defaultOnlineMeetingProvider: mailbox.personal ? 'unknown' : 'teamsForBusiness',
    isTallyingResponses: calendar.isDefault,
    isRemovable: !calendar.isDefault,
    owner: calendar.owner,
  };
}

/** Source: "List calendars". There is no delta for calendars. */
export function listCalendars(call: GraphCall, group: string | null): Reply {
  needRead(call);
  const calendars = [...call.mailbox.calendars.values()].filter(
    (calendar) => group === null || calendar.group === group,
  );
  const select = readSelect(call.options);
  return pageOf(call, calendars, (calendar) => selectFrom(presentCalendar(call, calendar), select));
}

export function getCalendar(call: GraphCall, calendar: Calendar): Reply {
  needRead(call);
  return jsonReply(200, {
    '@odata.context': `${call.graphBase}/$metadata#users('${call.mailbox.userId}')/calendars/$entity`,
    ...selectFrom(presentCalendar(call, calendar), readSelect(call.options)),
  });
}

/** Source: "List calendarGroups". */
export function listGroups(call: GraphCall): Reply {
  needRead(call);
  return pageOf(call, [...call.mailbox.groups], ([key, name]) => ({
    id: groupId(call.mailbox, key),
    name,
    classId: '0006f0b7-0000-0000-c000-000000000046',
    changeKey: Buffer.from(`group ${key}`).toString('base64'),
  }));
}

export function findGroup({ mailbox }: GraphCall, id: string): string {
  for (const key of mailbox.groups.keys()) if (groupId(mailbox, key) === id) return key;
  throw itemNotFound();
}
