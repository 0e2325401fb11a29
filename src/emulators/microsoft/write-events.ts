import { jsonReply, type Reply, reply } from '#emulators/kit/exchange.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import { checkUnchanged, type GraphCall, type Item, needWrite } from './graph-call.ts';
import { accessDenied, badRequest, GraphError } from './graph-errors.ts';
import { zoneOf } from './graph-time.ts';
import { endOf, type Instance, neighboursOf, startOf } from './instances.ts';
import { refId } from './item-ids.ts';
import { instanceKey, presentEvent, presentInstance, selectFrom } from './present-event.ts';
import { checkContent, newContent, readEventBody } from './read-event-body.ts';
import { patternDays, printDay, type Recurrence, readRecurrence } from './recurrence-pattern.ts';
import { type Calendar, type CalendarEvent, type EventContent, nextKey, putEvent, removeEvent } from './world.ts';

/** POST of an event. Source: "Create event", `transactionId` of the event resource type. */
export function createEvent(call: GraphCall, calendar: Calendar): Reply {
  needWrite(call);
  if (!calendar.canEdit) throw accessDenied();
  const { world, mailbox, nowMs } = call;
  const changes = readEventBody(call.body);
  const repeated = changes.transactionId === undefined ? null : answerRepeated(call, changes.transactionId);
  if (repeated) return repeated;
  const { content, recurrence } = inOneZone({ ...newContent(mailbox), ...changes.content }, changes.recurrence, null);
  const event = putEvent(
    world,
    mailbox,
    calendar,
    {
      key: nextKey(world, 'event'),
      place: 0,
      content,
      recurrence,
      exceptions: new Map(),
      cancelledDays: new Set(),
      transactionId: changes.transactionId ?? null,
      extended: changes.extended,
      createdAtMs: nowMs,
    },
    nowMs,
  );
  if (event.transactionId !== null) mailbox.transactions.set(event.transactionId, event.key);
  // The service repeated the request to itself: applied, and refused as a duplicate of itself.
  if (call.quirk?.startsWith('duplicate-') && event.transactionId !== null) {
    return answerRepeated(call, event.transactionId) ?? created(call, event);
  }
  return created(call, event);
}

function created(call: GraphCall, event: CalendarEvent): Reply {
  return jsonReply(201, {
    '@odata.context': `${call.graphBase}/$metadata#users('${call.mailbox.userId}')/events/$entity`,
    ...selectFrom(presentEvent(call, event), null),
  });
}

/** A transactionId counts for the whole mailbox and for ever: a deleted event does not free it. */
function answerRepeated(call: GraphCall, transactionId: string): Reply | null {
  const key = call.mailbox.transactions.get(transactionId);
  if (key === undefined) return null;
  const how = howToRefuse(call);
  const event = [...call.mailbox.calendars.values()].flatMap(({ events }) => events.get(key) ?? [])[0];
  if (event && how === 'replay') return created(call, event);
  const place = call.preferences.immutableIds ? null : (event?.place ?? 0);
  const id = refId(call.mailbox, { key, day: null, place });
  throw new GraphError(
    how === 'conflict' ? 409 : 400,
    'ErrorDuplicateTransactionId',
    "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.",
    { more: how === 'conflict' ? {} : { '@event.existingEventId': id } },
  );
}

function howToRefuse({ world, quirk }: GraphCall): string {
  return quirk?.startsWith('duplicate-') ? quirk.slice('duplicate-'.length) : world.knobs.duplicateTransaction;
}

/** PATCH of an event, a master or one instance. Source: "Update event". */
export function updateEvent(call: GraphCall, { calendar, event, instance }: Item): Reply {
  needWrite(call);
  if (!calendar.canEdit) throw accessDenied();
  checkUnchanged(call, event);
  const { world, mailbox, nowMs } = call;
  const changes = readEventBody(call.body);
  endMeetingWithoutText(instance?.content ?? event.content, changes.content);
  if (changes.transactionId !== undefined && changes.transactionId !== event.transactionId) {
    throw badRequest('ErrorPropertyValidationFailure', "The property 'transactionId' cannot be changed.");
  }
  if (instance) {
    if (changes.recurrence !== undefined && changes.recurrence !== null) {
      throw badRequest('ErrorInvalidPropertySet', 'The recurrence of an instance cannot be set.');
    }
    const next = changeInstance(event, instance, changes.content, call.quirk === 'crossing-boundary');
    const own = [...changes.extended].map(([key, value]) => [instanceKey(instance.day, key), value] as const);
    const extended = new Map([...event.extended, ...own]);
    const stored = putEvent(world, mailbox, calendar, { ...next, extended }, nowMs);
    return changed(
      call,
      presentInstance(call, { ...instance, event: stored, type: 'exception', ...placed(stored, instance) }),
    );
  }
  const extended = new Map([...event.extended, ...changes.extended]);
  const stored = putEvent(
    world,
    mailbox,
    calendar,
    { ...changeMaster(event, changes.content, changes.recurrence), extended },
    nowMs,
  );
  return changed(call, presentEvent(call, stored));
}

/** A text without what makes it an online meeting ends that. Source: "Update event", "body property and online meetings". */
function endMeetingWithoutText({ joinUrl }: EventContent, changes: Partial<EventContent>): void {
  if (joinUrl === null || changes.body === undefined || changes.body.content.includes(joinUrl)) return;
  changes.joinUrl = null;
}

function changed(call: GraphCall, shown: Record<string, unknown>): Reply {
  return jsonReply(200, {
    '@odata.context': `${call.graphBase}/$metadata#users('${call.mailbox.userId}')/events/$entity`,
    ...selectFrom(shown, null),
  });
}

function placed(event: CalendarEvent, { day, content }: Instance): Pick<Instance, 'content' | 'startMs' | 'endMs'> {
  const now = { ...content, ...event.exceptions.get(day!) };
  return { content: now, startMs: startOf(now), endMs: endOf(now) };
}

/** The event with other content. New times or another pattern make it another series: its exceptions go. */
export function changeMaster(event: CalendarEvent, changes: Partial<EventContent>, pattern: unknown): CalendarEvent {
  const merged = { ...event.content, ...changes };
  const { content, recurrence } = inOneZone(
    merged,
    pattern === undefined ? event.recurrence : pattern,
    event.recurrence,
  );
  const same =
    JSON.stringify(recurrence) === JSON.stringify(event.recurrence) &&
    startOf(content) === startOf(event.content) &&
    endOf(content) === endOf(event.content) &&
    content.startZone === event.content.startZone;
  if (same || !event.recurrence) return { ...event, content, recurrence };
  return { ...event, content, recurrence, exceptions: new Map(), cancelledDays: new Set() };
}

/** One instance with content of its own. *Errors*: ErrorOccurrenceCrossingBoundary. */
export function changeInstance(
  event: CalendarEvent,
  instance: Instance,
  changes: Partial<EventContent>,
  refused = false,
): CalendarEvent {
  const day = instance.day!;
  const content = { ...instance.content, ...changes };
  checkContent(content);
  const { before, after } = neighboursOf(event, day);
  const zone = zoneOf(event.content.startZone);
  const dayIn = (ms: number) => Math.floor((content.isAllDay ? ms : zone.toLocal(ms)) / dayMs);
  const moved = startOf(content) !== instance.startMs || endOf(content) !== instance.endMs;
  const crosses =
    moved &&
    ((before !== null && dayIn(startOf(content)) <= dayIn(before.startMs)) ||
      (after !== null && (dayIn(startOf(content)) >= dayIn(after.startMs) || endOf(content) > after.startMs)));
  if (crosses || refused) {
    const message = 'Modified occurrence is crossing or overlapping adjacent occurrence.';
    throw badRequest('ErrorOccurrenceCrossingBoundary', message);
  }
  const exceptions = new Map(event.exceptions).set(day, { ...event.exceptions.get(day), ...changes });
  return { ...event, exceptions };
}

/** DELETE of an event, a series or one instance; an instance leaves no trace but the date. Source: "Delete event". */
export function deleteEvent(call: GraphCall, { calendar, event, instance }: Item): Reply {
  needWrite(call);
  if (!calendar.canEdit) throw accessDenied();
  checkUnchanged(call, event);
  if (instance) putEvent(call.world, call.mailbox, calendar, withoutInstance(event, instance.day!), call.nowMs);
  else removeEvent(call.world, call.mailbox, calendar, event.key, call.nowMs);
  return reply(204);
}

export function withoutInstance(event: CalendarEvent, day: number): CalendarEvent {
  const exceptions = new Map(event.exceptions);
  exceptions.delete(day);
  return { ...event, exceptions, cancelledDays: new Set(event.cancelledDays).add(day) };
}

const answers = { accept: 'accepted', tentativelyAccept: 'tentativelyAccepted', decline: 'declined' } as const;

/**
 * `accept`, `tentativelyAccept`, `decline`: 202 without a body. A new time is proposed with a response that is sent, for an
 * event that allows it, and never with `accept`. Source: "event: accept" and its siblings.
 */
export function respondTo(call: GraphCall, { calendar, event, instance }: Item, action: keyof typeof answers): Reply {
  needWrite(call);
  const content = instance?.content ?? event.content;
  if (content.organizer.address === call.mailbox.address) {
    throw badRequest(
      'ErrorInvalidRequest',
      "Your request can't be completed. You can't respond to this meeting because you're the meeting organizer.",
    );
  }
  const comment = checkResponse(call.body, content, action);
  if (comment !== undefined) call.mailbox.responses.push({ to: content.organizer.address, action, comment });
  const { world, mailbox, nowMs } = call;
  if (action === 'decline' && world.knobs.declinedEvents === 'deleted') {
    if (instance) putEvent(world, mailbox, calendar, withoutInstance(event, instance.day!), nowMs);
    else removeEvent(world, mailbox, calendar, event.key, nowMs);
  } else {
    putEvent(world, mailbox, calendar, answered(event, instance, answers[action], nowMs), nowMs);
  }
  return reply(202);
}

/** The text of the response; undefined where none is sent. */
function checkResponse(
  body: unknown,
  { allowNewTimeProposals }: EventContent,
  action: keyof typeof answers,
): string | null | undefined {
  const { comment, sendResponse, proposedNewTime } = (body ?? {}) as Record<string, unknown>;
  const isText = comment === undefined || comment === null || typeof comment === 'string';
  const isFlag = sendResponse === undefined || sendResponse === null || typeof sendResponse === 'boolean';
  if (!isText || !isFlag) throw badRequest('RequestBodyRead', 'A value of the request body is of another type.');
  const sent = sendResponse === false ? undefined : ((comment as string | null | undefined) ?? null);
  if (proposedNewTime === undefined || proposedNewTime === null) return sent;
  if (action === 'accept')
    throw badRequest('RequestBodyRead', "The property 'proposedNewTime' does not exist on accept.");
  if (!allowNewTimeProposals || sendResponse === false) {
    throw badRequest('ErrorInvalidRequest', "Your request can't be completed. A new time cannot be proposed.");
  }
  return sent;
}

export function answered(
  event: CalendarEvent,
  instance: Instance | null,
  response: EventContent['response'],
  nowMs: number,
): CalendarEvent {
  const showAs = ({ accepted: 'busy', tentativelyAccepted: 'tentative', declined: 'free' } as const)[
    response as 'accepted'
  ];
  const changes: Partial<EventContent> = { response, respondedAtMs: nowMs, ...(showAs ? { showAs } : {}) };
  return instance ? changeInstance(event, instance, changes) : { ...event, content: { ...event.content, ...changes } };
}

/** Checks the whole. A series has one zone, that of its start, and its range begins on the day it starts. */
export function inOneZone(
  given: EventContent,
  pattern: unknown,
  before: Recurrence | null,
): { content: EventContent; recurrence: Recurrence | null } {
  checkContent(given);
  if (pattern === undefined || pattern === null) return { content: given, recurrence: null };
  const zone = zoneOf(given.startZone);
  const content = given.isAllDay
    ? given
    : { ...given, endZone: given.startZone, endLocalMs: zone.toLocal(endOf(given)) };
  const startDay = printLocalDate(content.startLocalMs);
  // A pattern that nobody named goes with the event when it is moved.
  const asked = pattern === before ? { ...before, range: { ...before!.range, startDate: startDay } } : pattern;
  const read = readRecurrence(asked, startDay, content.startZone);
  if (!read.ok) throw badRequest(read.code, read.message);
  checkGap(content, read.recurrence);
  return { content, recurrence: read.recurrence };
}

/** Source: EWS response code ErrorOccurrenceTimeSpanTooBig. */
function checkGap(content: EventContent, recurrence: Recurrence): void {
  let previous: number | null = null;
  let seen = 0;
  for (const day of patternDays(recurrence)) {
    if (previous !== null && (day - previous) * dayMs < content.endLocalMs - content.startLocalMs) {
      const message = `The occurrence of ${printDay(previous)} reaches over the next one.`;
      throw badRequest('ErrorOccurrenceTimeSpanTooBig', message);
    }
    previous = day;
    seen += 1;
    if (seen === 30) return;
  }
}
