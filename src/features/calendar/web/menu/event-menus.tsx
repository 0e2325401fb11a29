import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '#ui/shortcuts.ts';
import { showToast } from '#ui/toasts.tsx';
import { printMinute } from '../editor/event-draft.ts';
import type { EventRow } from '../grid-event.ts';
import { safeLink } from '../safe-link.ts';
import { EventMenu, type MenuAct } from './event-menu.tsx';

/** The choices of the menus, as the editor carries them out. */
export type MenuTask =
  | { kind: 'edit' | 'delete'; eventId: string }
  | { kind: 'create'; start: string }
  | { kind: 'copy'; eventId: string; start?: string | undefined; day?: string };

export interface EventMenusProps {
  rowOf: (eventId: string) => EventRow | undefined;
  /** The day on which a copy is pasted where no hour has the focus: `2027-03-08`. */
  day: string;
  onTask: (task: MenuTask) => void;
}

interface Opened {
  at: { x: number; y: number };
  row: EventRow | undefined;
  /** Local start of the slot that was pressed. */
  start: string | undefined;
}

/** The menu of an event or an empty hour, and the keys that copy and paste an event. */
export function EventMenus({ rowOf, day, onTask }: EventMenusProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened>();
  const [copied, setCopied] = useState<EventRow>();

  const copy = (row: EventRow) => {
    setCopied(row);
    const message = t('editor.copied', { title: row.title || t('calendar.untitled') });
    showToast({ subject: 'copied-event', state: 'ok', message });
  };
  const paste = (start: string | undefined) => {
    if (copied !== undefined) onTask({ kind: 'copy', eventId: copied.event_id, start, day });
  };
  const focusedRow = () => {
    const eventId = document.activeElement?.closest<HTMLElement>('[data-event]')?.dataset.event;
    const row = eventId === undefined ? undefined : rowOf(eventId);
    // A text that is selected is copied as text.
    return row?.is_holdfast_block || document.getSelection()?.isCollapsed === false ? undefined : row;
  };

  const group = t('editor.keys.group');
  useShortcuts([
    {
      keys: 'mod+c',
      label: t('editor.keys.copy'),
      group,
      get active() {
        return focusedRow() !== undefined;
      },
      run: () => {
        const row = focusedRow();
        if (row !== undefined) copy(row);
      },
    },
    {
      keys: 'mod+v',
      label: t('editor.keys.paste'),
      group,
      active: copied !== undefined,
      run: () => paste(startOfSlot(document.activeElement)),
    },
  ]);

  useEffect(() => {
    const open = (event: MouseEvent) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      const target = event.target.closest<HTMLElement>('[data-event], [data-slot]');
      const row = target?.dataset.event === undefined ? undefined : rowOf(target.dataset.event);
      const start = startOfSlot(target);
      if (target === null || (row === undefined ? start === undefined : row.is_holdfast_block)) return;
      event.preventDefault();
      const { left, bottom } = target.getBoundingClientRect();
      // The menu key of a keyboard has no point.
      const at = event.clientX === 0 ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY };
      setOpened({ at, row, start });
    };
    document.addEventListener('contextmenu', open);
    return () => document.removeEventListener('contextmenu', open);
  }, [rowOf]);

  if (opened === undefined) return null;
  const { at, row, start } = opened;
  const join = safeLink(row?.meeting_link ?? undefined);
  const acts: (MenuAct | false | undefined)[] = row
    ? [
        join && { label: t('editor.join'), run: () => window.open(join.href, '_blank', 'noreferrer') },
        row.editable && {
          label: t('editor.edit'),
          keys: 'e',
          run: () => onTask({ kind: 'edit', eventId: row.event_id }),
        },
        { label: t('editor.duplicate'), run: () => onTask({ kind: 'copy', eventId: row.event_id }) },
        { label: t('editor.copy'), keys: 'mod+c', run: () => copy(row) },
        row.editable && {
          label: t('editor.delete'),
          keys: 'Delete',
          run: () => onTask({ kind: 'delete', eventId: row.event_id }),
        },
      ]
    : [
        start !== undefined && {
          label: t('editor.createTitle'),
          keys: 'Enter',
          run: () => onTask({ kind: 'create', start }),
        },
        copied && { label: t('editor.paste'), keys: 'mod+v', run: () => paste(start) },
      ];
  return (
    <EventMenu
      at={at}
      label={row ? row.title || t('calendar.untitled') : t('calendar.newEvent')}
      acts={acts.filter((act) => act !== false && act !== undefined)}
      onClose={() => setOpened(undefined)}
    />
  );
}

/** `2027-03-08T09:00` of an empty hour in the grid; undefined for all else. */
function startOfSlot(element: Element | null): string | undefined {
  const slot = element?.closest<HTMLElement>('[data-slot]');
  const minute = Number(slot?.dataset.minute ?? -1);
  const days = slot?.closest('[data-grid]')?.querySelectorAll<HTMLElement>('[data-day]');
  const day = days?.[Number(slot?.dataset.column)]?.dataset.day;
  if (day === undefined || minute < 0) return undefined;
  return printMinute((Number(day) * 1440 + minute) * 60_000);
}
