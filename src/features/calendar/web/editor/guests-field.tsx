import { IconX } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventLimits } from '#kernel/event.ts';
import styles from './guests-field.module.css';
import { addGuests, type Guest, parseAddresses } from './parse-addresses.ts';

/** Who is invited: one chip each; many at once by pasting. What is no address stays in the field and is named. */
export function GuestsField({ guests, onChange }: { guests: readonly Guest[]; onChange: (guests: Guest[]) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [refused, setRefused] = useState('');

  const take = (typed: string) => {
    const { guests: more, rest } = parseAddresses(typed);
    if (more.length > 0) onChange(addGuests(guests, more, eventLimits.attendees));
    setText(rest);
    setRefused(rest);
  };
  const remove = (email: string) => {
    onChange(guests.filter((guest) => guest.email !== email));
    input.current?.focus();
  };
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {t('editor.guests')}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside the chips means the field */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the field itself */}
      <div
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
          value={text}
          placeholder={guests.length === 0 ? t('editor.guestsHint') : undefined}
          aria-invalid={refused !== '' || undefined}
          aria-describedby={refused === '' ? undefined : `${id}-error`}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            setRefused('');
            // A comma ends an address; inside quotes or before an address it may be part of a name.
            if (/[,;]\s*$/.test(typed) && parseAddresses(typed).rest === '') take(typed);
            else setText(typed);
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (parseAddresses(pasted).guests.length === 0) return;
            event.preventDefault();
            take(`${text} ${pasted}`);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && text.trim() !== '') {
              event.preventDefault();
              take(text);
            }
            const last = guests.at(-1);
            if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last.email);
          }}
          onBlur={() => take(text)}
        />
      </div>
      {refused === '' ? null : (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          {t('editor.noAddress', { text: refused })}
        </p>
      )}
    </div>
  );
}
