import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { editsContract } from '#features/edits/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { EventRow } from '../grid-event.ts';
import type { Answering, Edit, EditScope, EventBody, EventDetails } from './edit-shapes.ts';
import type { EventChanges } from './event-draft.ts';
import { dropLocalEdit, editsKey, showLocalEdit } from './local-edits.ts';
import type { EditPreview } from './preview-edit.ts';
import { sameTry } from './same-try.ts';

const api = createClient(editsContract);

type EditList = Output<typeof editsContract.listEdits>;

export interface Sent {
  kind: Edit['kind'];
  calendarId: string;
  title: string;
  preview: EditPreview;
}

export interface ChangeInput {
  eventId: string;
  scope: EditScope;
  version: string;
  tellGuests: boolean;
}

/** Calls of editing: shown at once, sent, and taken back where the server refuses. */
export function useEditCalls() {
  const queryClient = useQueryClient();
  return useMemo(() => editCalls(queryClient), [queryClient]);
}

export type EditCalls = ReturnType<typeof editCalls>;

let sentCount = 0;

function editCalls(queryClient: QueryClient) {
  const keep = (edit: Edit) => {
    queryClient.setQueriesData<EditList>({ queryKey: editsKey }, (list) =>
      list === undefined ? undefined : { edits: [...list.edits.filter((one) => one.edit_id !== edit.edit_id), edit] },
    );
    void queryClient.invalidateQueries({ queryKey: editsKey });
    void queryClient.invalidateQueries({ queryKey: ['edits', 'invitations'] });
  };
  const answered = async (answer: Promise<{ edit: Edit }>): Promise<Edit> => {
    const { edit } = await answer;
    keep(edit);
    return edit;
  };

  const send = async (sent: Sent, call: () => Promise<{ edit: Edit }>, editId?: string): Promise<Edit> => {
    const shown = show(sent, editId);
    try {
      const { edit } = await call();
      // The answer knows no range of days: what the page shows meanwhile is kept until the list is asked again.
      const { replaces, events } = edit.events.length + edit.replaces.length > 0 ? edit : sent.preview;
      // an event just made may stand in the calendar before the list is there: it is what the preview shows
      const made = sent.kind === 'create' && edit.item_id !== null ? [edit.item_id] : [];
      keep({ ...edit, replaces: [...replaces, ...made], events });
      return edit;
    } finally {
      dropLocalEdit(shown);
    }
  };

  return {
    send,
    create: (body: EventBody, tellGuests: boolean, sent: Sent) =>
      sameTry({ ...body, tell_guests: tellGuests }, (tried) =>
        send(sent, () => api.createEvent({ body: tried }), tried.edit_id),
      ),
    change: ({ eventId, scope, version, tellGuests }: ChangeInput, changes: EventChanges, sent: Sent) =>
      send(sent, () =>
        api.changeEvent({
          params: { id: eventId },
          body: { scope, version, tell_guests: tellGuests, changes },
        }),
      ),
    remove: ({ eventId, scope, version, tellGuests }: ChangeInput, sent: Sent) =>
      send(sent, () =>
        api.deleteEvent({
          params: { id: eventId },
          query: { scope, version, tell_guests: tellGuests ? 'true' : 'false' },
        }),
      ),
    answer: ({ eventId, answer, scope, version, note }: Answering & { version: string }, sent: Sent) =>
      send(sent, () =>
        api.answerInvitation({
          params: { event_id: eventId },
          body: { answer, scope, version, note, tell_organizer: true },
        }),
      ),
    undo: (editId: string) => answered(api.undoEdit({ params: params(editId) })),
    retry: (editId: string) => answered(api.retryEdit({ params: params(editId) })),
    choose: (editId: string, keepWhose: 'mine' | 'theirs') =>
      answered(api.chooseEdit({ params: params(editId), body: { keep: keepWhose } })),
    dismiss: (editId: string) => answered(api.dismissEdit({ params: params(editId) })),
    read: async (eventId: string, signal?: AbortSignal): Promise<EventDetails> =>
      (await api.readEvent({ params: { event_id: eventId } }, signal ? { signal } : {})).event,
    /** The row of an event and those of its series, as far as some screen has them: what an edit will look like. */
    rowsOf: (eventId: string): { target: EventRow; rows: EventRow[] } | undefined => {
      const all = knownRows(queryClient);
      const target = all.get(eventId);
      if (target === undefined) return undefined;
      return { target, rows: [...all.values()].filter((row) => row.item_id === target.item_id) };
    },
  };
}

/**
 * Shows what was just decided until `send` brings an answer; gives the name to take it back by, which is the server's where
 * it is known: what its list shows then is not shown twice.
 */
export function show(sent: Sent, editId?: string): string {
  sentCount += 1;
  const id = editId ?? `sent ${sentCount}`;
  showLocalEdit({
    edit_id: id,
    kind: sent.kind,
    state: 'pending',
    calendar_id: sent.calendarId,
    item_id: null,
    title: sent.title,
    message: null,
    undo_until: null,
    can_undo: false,
    can_retry: false,
    created_at: '1970-01-01T00:00:00Z',
    ...sent.preview,
    mine: null,
    theirs: null,
  });
  return id;
}

function knownRows(queryClient: QueryClient): Map<string, EventRow> {
  const lists = queryClient.getQueriesData<{ events: EventRow[] }>({ queryKey: ['calendar', 'events'] });
  return new Map(lists.flatMap(([, list]) => list?.events ?? []).map((row) => [row.event_id, row]));
}

const params = (editId: string) => ({ edit_id: editId }) as Parameters<typeof api.undoEdit>[0]['params'];
