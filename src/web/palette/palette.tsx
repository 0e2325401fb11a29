import { IconCalendarCheck, IconFilter, IconSearch } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { CommandDialog } from '#ui/command-dialog.tsx';
import { KeyCaps } from '#ui/key-caps.tsx';
import { listShortcuts, takeEarlyText } from '#ui/shortcuts.ts';
import { chooseEntries, type Entry, groupEntries, markWords } from './entries.ts';
import styles from './palette.module.css';
import { addRecent, listRecent } from './recent-entries.ts';
import { useCommands } from './use-commands.ts';
import { useFound } from './use-found.ts';
import { useHelp } from './use-help.ts';
import { useWishes } from './use-wishes.ts';

/** How many commands of a group stand beside what was found. */
const mostCommands = 5;

export interface PaletteProps {
  userId: string;
  onClose: () => void;
  onKeyboardSheet: () => void;
}

/** Search over everything a person has, and everything that can be done, from one field. */
export function Palette({ userId, onClose, onKeyboardSheet }: PaletteProps) {
  const { t } = useTranslation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const nowMs = useNowMs();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState<string | null>(null);
  const [focused] = useState(focusedCommands);
  const commands = [...focused, ...useCommands({ onKeyboardSheet })];
  const wishes = useWishes(typed, nowMs);
  const found = useFound(typed, nowMs);
  const help = useHelp(typed);
  const thinned = useThinned(typed);

  const takeOver = useCallback((field: HTMLInputElement | null) => {
    if (field === null) return;
    setTyped(takeEarlyText());
    field.focus();
  }, []);

  const isEmpty = typed.trim() === '';
  const entries = isEmpty
    ? [...listRecent(userId), ...commands.filter(({ group }) => group === 'actions' || group === 'places')]
    : [
        ...wishes,
        ...found.entries,
        ...(found.entries.length > 0 ? thinned : []),
        ...chooseEntries(commands, typed, mostCommands),
        ...help,
      ];
  const shown = groupEntries(entries, typed);
  const order = shown.flatMap((one) => one.entries);
  const keyOf = (entry: Entry) => `${entry.group} ${entry.id}`;
  const active = order.find((entry) => keyOf(entry) === marked) ?? order[0];
  const optionId = (entry: Entry) => `${id}-${order.indexOf(entry)}`;

  useEffect(() => {
    if (marked !== null) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [marked]);

  const choose = (entry: Entry) => {
    onClose();
    if (entry.group !== 'time' && !entry.id.startsWith('focused-')) addRecent(userId, entry);
    entry.run();
  };
  /** A step goes round, a leap stops at the ends. */
  const move = (step: number) => {
    const to = (active === undefined ? 0 : order.indexOf(active)) + step;
    const last = order.length - 1;
    const next = order[Math.abs(step) === 1 ? (to + order.length) % order.length : Math.max(0, Math.min(last, to))];
    if (next) setMarked(keyOf(next));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) move(step);
    else if (event.key === 'Enter' && active) choose(active);
    else return;
    event.preventDefault();
  };

  return (
    <CommandDialog label={t('search.title')} onClose={onClose}>
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.8} aria-hidden />
        <input
          ref={takeOver}
          className={styles.input}
          role="combobox"
          aria-label={t('search.title')}
          aria-expanded={order.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active === undefined ? undefined : optionId(active)}
          aria-autocomplete="list"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={200}
          placeholder={t('shell.search')}
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setMarked(null);
            if (list.current) list.current.scrollTop = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={styles.close} onClick={onClose}>
          {t('search.close')}
        </button>
      </div>
      <p role="status" className="hf-sr-only">
        {found.isAsking ? t('search.searching') : t('search.found', { count: isEmpty ? 0 : order.length })}
      </p>
      <div className={styles.list} ref={list}>
        <div id={`${id}-list`} role="listbox" aria-label={t('search.results')}>
          {shown.map(({ group, entries: own }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
            <div key={group} role="group" aria-labelledby={`${id}-${group}`} className={styles.group}>
              <div id={`${id}-${group}`} className={styles.heading}>
                {t(`search.group.${group}`)}
              </div>
              {own.map((entry) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field, which keeps the focus
                <div
                  key={keyOf(entry)}
                  id={optionId(entry)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === active}
                  className={styles.entry}
                  onPointerMove={() => {
                    if (entry !== active) setMarked(keyOf(entry));
                  }}
                  onClick={() => choose(entry)}
                >
                  <Mark mark={entry.mark} />
                  <span className={styles.texts}>
                    <span className={styles.title}>
                      {markWords(entry.title, group === 'recent' ? '' : typed).map(({ text, isTyped }, part) =>
                        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
                        isTyped ? <mark key={part}>{text}</mark> : <span key={part}>{text}</span>,
                      )}
                    </span>
                    {entry.detail ? <span className={styles.detail}>{entry.detail}</span> : null}
                  </span>
                  {entry.keys ? (
                    <span className={styles.keys}>
                      <KeyCaps keys={entry.keys} />
                    </span>
                  ) : null}
                </div>
              ))}
            </div>
          ))}
        </div>
        {order.length === 0 && !found.isAsking && !found.hasFailed ? (
          <p className={styles.none}>{t('search.none', { typed: typed.trim() })}</p>
        ) : null}
        {found.hasFailed ? <p className={styles.none}>{t('search.failed')}</p> : null}
      </div>
      <p className={styles.hint}>{t('search.hint')}</p>
    </CommandDialog>
  );
}

/** Commands for the element that had the focus when the palette was opened. Never recent: the focus is elsewhere later. */
function focusedCommands(): Entry[] {
  return listShortcuts().flatMap(({ label, keys, command }): Entry[] => {
    const act = command?.();
    if (!act) return [];
    return [{ id: `focused-${[keys].flat().join()}`, group: 'actions', title: label, mark: IconCalendarCheck, ...act }];
  });
}

/** On the calendar: what is in view with the words, and nothing else. */
function useThinned(typed: string): Entry[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isCalendar = useLocation({ select: ({ pathname }) => pathname === '/calendar' });
  const q = typed.trim();
  if (!isCalendar || q === '') return [];
  return [
    {
      id: 'thinned',
      group: 'events',
      title: t('search.showOnly', { typed: q }),
      mark: IconFilter,
      run: () => void navigate({ to: '/calendar', search: (before: object) => ({ ...before, q }) }),
    },
  ];
}

function Mark({ mark: Icon }: { mark: Entry['mark'] }) {
  return typeof Icon === 'string' ? (
    <span className={`${styles.color} hf-mark`} style={{ background: Icon }} aria-hidden />
  ) : (
    <Icon size={18} stroke={1.6} className={styles.icon} aria-hidden />
  );
}
