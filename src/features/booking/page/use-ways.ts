import { type Dispatch, type SetStateAction, useEffect, useLayoutEffect } from 'react';
import type { Typed } from '../rules/visit-data.ts';

const key = 'hf-typed';

/**
 * The links to other languages lead to the place that is shown, whose page has what was typed. The server writes them, for
 * the address of the first place.
 */
export function useWays(typed: Typed, setTyped: Dispatch<SetStateAction<Typed>>): void {
  useLayoutEffect(() => {
    const [path, kept] = take();
    if (path === location.pathname) setTyped((before) => ({ ...before, ...kept }));
  }, [setTyped]);
  useEffect(() => {
    const follow = ({ target }: MouseEvent) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('.ways a');
      if (!link) return;
      const there = new URLSearchParams(location.search);
      there.set('lang', link.lang);
      link.search = there.toString();
      try {
        sessionStorage.setItem(key, JSON.stringify([location.pathname, typed]));
      } catch {
        // a browser that stores nothing keeps the place alone
      }
    };
    addEventListener('click', follow);
    return () => removeEventListener('click', follow);
  }, [typed]);
}

function take(): [path: string, typed: Typed] | [] {
  try {
    const kept = sessionStorage.getItem(key) ?? '[]';
    sessionStorage.removeItem(key);
    return JSON.parse(kept) as [string, Typed];
  } catch {
    return [];
  }
}
