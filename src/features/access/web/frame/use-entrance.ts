import { createContext, useContext } from 'react';
import { ownPath } from '#kernel/own-path.ts';
import { type Door, type EntranceData, homeOf } from '../../rules/entrance.ts';

/** State that follows a person to the next page without being in its address. */
export interface Carried {
  /** The `session` of a sign-in that waits for a second factor. */
  challenge?: string | undefined;
  /** The notice about an action on the previous page. */
  notice?: string | undefined;
  /** The account was confirmed on the page before: this is its first sign-in. */
  isFirst?: boolean | undefined;
  /** Typed on the page before. */
  email?: string | undefined;
  /** A mail went to this address; `mailAt`: where it can be read on a machine that sends none. Kept when the page is loaded again. */
  sent?: { email: string; mailAt: string | null } | undefined;
}

export interface Place {
  path: string;
  search: Readonly<Record<string, string>>;
  carried: Carried;
}

export interface Going {
  carried?: Carried | undefined;
  replace?: boolean;
}

/** A text of the catalogue; the app's own `t` for what stands on both sides of the entrance. */
export type Say = (key: string, values?: Readonly<Record<string, string>>) => string;

export interface Entrance extends Pick<EntranceData, 'brand' | 'language' | 'languages' | 'methods'> {
  t: Say;
  place: Place;
  /** To another entrance. */
  go: (to: string, going?: Going) => void;
  /** Switches the language; open pages keep their state. */
  speak: (language: string) => void;
}

export const EntranceContext = createContext<Entrance | null>(null);

export function useEntrance(): Entrance {
  const entrance = useContext(EntranceContext);
  if (entrance === null) throw new Error('no Entrance above');
  return entrance;
}

export function readPlace(path: string, search: string, carried: unknown): Place {
  const isCarried = typeof carried === 'object' && carried !== null;
  return { path, search: Object.fromEntries(new URLSearchParams(search)), carried: isCarried ? carried : {} };
}

/** The page itself after its form had a mail sent. */
export const afterMail = (email: string, mailAt: string | null): [to: string, going: Going] => [
  location.pathname + location.search,
  { replace: true, carried: { email, sent: { email, mailAt } } },
];

/** An entrance, with the page that was wanted before. */
export function entranceAt(path: string, from: string | undefined): string {
  return from === undefined ? path : `${path}?${new URLSearchParams({ from }).toString()}`;
}

/** Where a person goes who has come in: what they wanted, if it is a page of this site. */
export const wishOf = ({ search }: Place, door: Door): string => ownPath(search.from) ?? homeOf[door];
