import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Filters of a section, as they stand in its address: short texts, each under its name. */
export type Filter = Readonly<Record<string, string | undefined>>;

const typingMs = 250;
const mostChars = 100;

/** The search parameters and their setter. A changed filter returns to the first page. */
export function useFilter(names: readonly string[]): [Filter, (part: Filter) => void] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter: Filter = Object.fromEntries(
    names.flatMap((name) => {
      const value = raw[name];
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      return text === '' ? [] : [[name, text.slice(0, mostChars)]];
    }),
  );
  const set = (part: Filter) => {
    void navigate({ to: '.', search: { ...filter, ...part }, replace: true });
  };
  return [filter, set];
}

/** A text that is typed here and in the address a moment after. */
export function useTyped(
  value: string | undefined,
  set: (value: string | undefined) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value ?? '');
  // the address was changed by a link, not by typing
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if ((value ?? '') !== typed.trim()) setTyped(value ?? '');
  }
  useEffect(() => {
    const next = typed.trim() || undefined;
    if (next === value) return;
    const timer = setTimeout(() => set(next), typingMs);
    return () => clearTimeout(timer);
  });
  return [typed, setTyped];
}
