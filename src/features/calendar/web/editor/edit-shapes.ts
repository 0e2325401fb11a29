import type { EventRow } from '../grid-event.ts';
import type { Guest } from './parse-addresses.ts';

export type EventWhen =
  | { kind: 'timed'; start: string; end: string; zone: string }
  | { kind: 'all-day'; start: string; end: string };

export interface EventBody {
  calendar_id: string;
  title: string;
  when: EventWhen;
  recurrence: string | null;
  description: string;
  location: string;
  meeting_link: string | null;
  attendees: Guest[];
  busy: 'busy' | 'free' | 'tentative';
  private: boolean;
  reminders: number[] | null;
  tell_guests: boolean;
}

export type EditScope = 'this' | 'following' | 'all';

export interface Edit {
  edit_id: string;
  kind: 'create' | 'change' | 'delete';
  state: 'pending' | 'done' | 'failed' | 'conflict' | 'undone';
  calendar_id: string;
  item_id: string | null;
  title: string;
  message: string | null;
  undo_until: string | null;
  can_undo: boolean;
  created_at: string;
  replaces: string[];
  events: EventRow[];
}
