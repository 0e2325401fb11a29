import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventLimits } from '#kernel/event.ts';
import { keepsEscape } from '#ui/dates/keeps-escape.ts';
import { SuggestionList } from './guests/suggestion-list.tsx';
import { type Suggestion, useSuggestions } from './guests/suggestions.ts';
import styles from './guests-field.module.css';
import { addGuests, type Guest, parseAddresses } from './parse-addresses.ts';

/**
 * Guests of an event: one chip each; many at once by pasting. Text that is no address stays in the field and is named.
 * People are suggested as a combobox with a listbox (WAI-ARIA APG): Enter, Tab and a comma take the selected one.
 */
export function GuestsField({
  guests,
  onChange,
  takesFocus = false,
}: {
  guests: readonly Guest[];
  onChange: (guests: Guest[]) => void;
  /** Where a button was pressed to show the field. */
  takesFocus?: boolean;
}) {
  const { t } = useTranslation();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [refused, setRefused] = useState('');
  const [chosen, setChosen] = useState<number>();
  const [isClosed, setIsClosed] = useState(true);
  const { suggestions, first } = useSuggestions(text, guests);
  const isOpen = !isClosed && suggestions.length > 0;
  // A whole address means itself; a part of a name means the first who has it.
  const isAddress = parseAddresses(text).rest === '';
  const active = Math.min(chosen ?? (isAddress ? -1 : 0), suggestions.length - 1);
  const selected = isOpen ? suggestions[active] : undefined;

  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);

  const type = (typed: string) => {
    setText(typed);
    setRefused('');
    setChosen(undefined);
    setIsClosed(false);
  };
  const add = (more: readonly Guest[]) => {
    if (more.length > 0) onChange(addGuests(guests, more, eventLimits.attendees));
  };
  const take = (typed: string) => {
    const { guests: more, rest } = parseAddresses(typed);
    const nameOf = new Map(suggestions.map(({ address, name }) => [address, name]));
    add(more.map((guest) => ({ ...guest, name: guest.name ?? nameOf.get(guest.email.toLowerCase()) ?? null })));
    setText(rest);
    setRefused(rest);
    setIsClosed(true);
  };
  const pick = ({ address, name }: Suggestion) => {
    add([{ email: address, name }]);
    type('');
  };
  /** Enter before the suggestions are there: the first of them, where there is one. */
  const takeFirst = async () => {
    const found = await first();
    if (input.current?.value !== text) return;
    if (found === undefined) take(text);
    else pick(found);
  };
  const remove = (email: string) => {
    onChange(guests.filter((guest) => guest.email !== email));
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    // Enter ends the composition of Japanese and Chinese words.
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case 'Enter':
        // Enter in this field never saves the event
        event.preventDefault();
        if (selected !== undefined) pick(selected);
        else if (isAddress || isClosed) take(text);
        else void takeFirst();
        break;
      case 'Tab':
        if (selected !== undefined && !event.shiftKey) pick(selected);
        break;
      case 'Escape':
        if (!isOpen) break;
        event.preventDefault();
        setIsClosed(true);
        break;
      case 'ArrowDown':
      case 'ArrowUp': {
        if (suggestions.length === 0) break;
        event.preventDefault();
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const next = isOpen ? active + step : step === 1 ? 0 : -1;
        setIsClosed(false);
        setChosen(next < 0 ? suggestions.length - 1 : next % suggestions.length);
        break;
      }
      case 'Backspace': {
        const last = guests.at(-1);
        if (text === '' && last !== undefined) remove(last.email);
        break;
      }
    }
  };
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {t('editor.guests')}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside the chips means the field */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the field itself */}
      <div
        ref={box}
        className={styles.box}
        data-error={refused !== '' || undefined}
        onClick={(event) => {
          if (event.target === event.currentTarget) input.current?.focus();
        }}
      >
        {guests.length === 0 ? null : (
          <ul className={styles.chips} aria-label={t('editor.guestCount', { count: guests.length })}>
            {guests.map((guest) => (
              <li key={guest.email} className={styles.chip} title={guest.email}>
                <span>{guest.name ?? guest.email}</span>
                <button
                  type="button"
                  className={styles.remove}
                  aria-label={t('editor.removeGuest', { guest: guest.name ?? guest.email })}
                  onClick={() => remove(guest.email)}
                >
                  <IconX size={12} stroke={2.4} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="text"
          inputMode="email"
          autoComplete="off"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={selected === undefined ? undefined : `${id}-list-${active}`}
          value={text}
          maxLength={8_000}
          placeholder={guests.length === 0 ? t('editor.guestsHint') : undefined}
          aria-invalid={refused !== '' || undefined}
          aria-describedby={refused === '' ? undefined : `${id}-error`}
          {...(isOpen ? keepsEscape : {})}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            // A comma ends an address; inside quotes or before an address it may be part of a name.
            const isEnded = /[,;]\s*$/.test(typed);
            if (isEnded && parseAddresses(typed).rest === '') take(typed);
            else if (isEnded && selected !== undefined) pick(selected);
            else type(typed);
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (parseAddresses(pasted).guests.length === 0) return;
            event.preventDefault();
            take(`${text} ${pasted}`);
          }}
          onKeyDown={press}
          onBlur={() => take(text)}
        />
      </div>
      {isOpen ? (
        <SuggestionList
          id={`${id}-list`}
          field={box}
          typed={text}
          suggestions={suggestions}
          active={active}
          onPick={pick}
        />
      ) : null}
      <p className="hf-sr-only" role="status">
        {isOpen ? t('editor.suggestionCount', { count: suggestions.length }) : ''}
      </p>
      {refused === '' ? null : (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          {t('editor.noAddress', { text: refused })}
        </p>
      )}
    </div>
  );
}
