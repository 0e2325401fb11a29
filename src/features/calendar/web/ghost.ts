import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { clockTime } from './event-time.ts';
import styles from './ghost.module.css';
import type { GridEvent } from './grid-event.ts';
import type { Point } from './grid-place.ts';
import { conflictAt, type GridScene, timeOf, titleOf } from './grid-scene.ts';
import { splitEvent } from './split-event.ts';
import { type EventTimes, wallSpan } from './wall-clock.ts';

/**
 * The dragged event, drawn as separate boxes over the grid. The boxes move by `transform` and re-render nothing. They
 * are in `[data-ghosts]`, which React leaves empty. The event itself stays in its place, faded.
 */
export type Ghost = ReturnType<typeof openGhost>;

/** `event` undefined: a new one. */
export function openGhost(root: HTMLElement, read: () => GridScene, event: GridEvent | undefined) {
  const frame = root.closest<HTMLElement>('[data-grid]') ?? root;
  const boxes: HTMLElement[] = [];
  const words = make('p', styles.note);
  // the grid's own region announces the times
  words.ariaHidden = 'true';
  const cards = event === undefined ? [] : root.querySelectorAll(`[data-event="${CSS.escape(event.id)}"]`);

  const note = (text: string, at: Point) => {
    if (!words.isConnected) frame.append(words);
    setText(words, text);
    const room = frame.getBoundingClientRect();
    const x = Math.max(4, Math.min(at.x - room.left, room.width - words.offsetWidth - 4));
    const y = Math.max(4, Math.min(at.y - room.top, room.height - words.offsetHeight - 4));
    words.style.transform = `translate(${x}px, ${y}px)`;
  };
  const boxAt = (index: number): HTMLElement => {
    let box = boxes[index];
    if (box === undefined) {
      box = make('div', styles.ghost);
      box.append(make('b'), make('span'));
      if (event !== undefined) box.style.setProperty('--hf-event', event.color);
      boxes.push(box);
    }
    return box;
  };

  return {
    note,
    /** Gives what it would conflict with there, in words. */
    draw(times: EventTimes): string | undefined {
      const scene = read();
      const conflict = conflictAt(scene, event, times);
      const title = titleOf(scene, event);
      const parts = placesOf(root, scene, times);
      const time = parts[0]?.isBar ? timeOf(scene, times) : clockTime(times, scene.zone, scene.labels, '');
      parts.forEach(({ layer, x, y, width, height }, index) => {
        const box = boxAt(index);
        if (box.parentElement !== layer) layer.append(box);
        Object.assign(box.style, {
          width: `${width}px`,
          height: `${height}px`,
          transform: `translate(${x}px, ${y}px)`,
        });
        box.toggleAttribute('data-line', height < 38);
        box.toggleAttribute('data-conflict', conflict !== undefined);
        // The days that whole days stand over say all; else the time is what changes.
        setText(box.firstElementChild, times.allDay ? title : time);
        setText(box.lastElementChild, times.allDay ? '' : title);
      });
      for (const box of boxes.splice(parts.length)) box.remove();
      for (const card of cards) card.toggleAttribute('data-lifted', true);
      words.toggleAttribute('data-conflict', conflict !== undefined);
      const last = parts.at(-1);
      if (conflict === undefined || last === undefined) words.remove();
      else {
        const from = last.layer.getBoundingClientRect();
        note(conflict, { x: from.left + last.x, y: from.top + last.y + last.height + 4 });
      }
      return conflict;
    },
    /** Whether it is on none of the days in view. */
    isOutside: () => boxes.length === 0,
    /** Brings it into view, for those who move it by keys. */
    reveal: () => boxes[0]?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    close() {
      for (const element of [...boxes, words]) element.remove();
      for (const card of cards) card.toggleAttribute('data-lifted', false);
    },
  };
}

function make(tag: string, className = ''): HTMLElement {
  return Object.assign(document.createElement(tag), { className });
}

function setText(element: Element | null, text: string): void {
  if (element !== null && element.textContent !== text) element.textContent = text;
}

/** One box for each day it touches, or one bar; px from their layer's corner. */
function placesOf(root: HTMLElement, { zone, firstDay, dayCount }: GridScene, times: EventTimes) {
  const layer = (name: string) => root.querySelector(`[data-ghosts="${name}"]`) as HTMLElement;
  const columns = [...root.querySelectorAll<HTMLElement>('[data-slide]')];
  const parts = splitEvent(wallSpan(zone, times), firstDay, dayCount);
  if (parts.kind === 'outside') return [];
  if (parts.kind === 'bar') {
    const covered = columns.slice(parts.bar.fromColumn, parts.bar.toColumn);
    const left = Math.min(...covered.map((column) => column.offsetLeft));
    const right = Math.max(...covered.map((column) => column.offsetLeft + column.offsetWidth));
    return [{ layer: layer('days'), isBar: true, x: left + 1, y: 2, width: right - left - 5, height: 24 }];
  }
  return parts.segments.map(({ column, startMinute, endMinute }) => {
    const { offsetLeft = 0, offsetWidth = 0, offsetHeight = 0 } = columns[column] ?? {};
    const minutePx = (offsetHeight * minuteMs) / dayMs;
    const [x, y, width] = [offsetLeft + 1, startMinute * minutePx, offsetWidth - 5];
    return {
      layer: layer('hours'),
      isBar: false,
      x,
      y,
      width,
      height: Math.max(14, (endMinute - startMinute) * minutePx - 2),
    };
  });
}
