import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useWays } from './use-filling.ts';

afterEach(() => {
  document.body.replaceChildren();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

/** The language links of a page, as the server writes them for the address that it was asked for. */
function addWays(): HTMLAnchorElement {
  document.body.innerHTML = '<footer class="ways"><a lang="fr" href="?month=2026-12&lang=fr">Français</a></footer>';
  const link = document.querySelector('a') as HTMLAnchorElement;
  link.addEventListener('click', (event) => event.preventDefault());
  return link;
}

test('another language keeps the chosen time and what was typed, once, on the same page', () => {
  history.replaceState(null, '', '/anna/intro?month=2026-12');
  const link = addWays();
  renderHook(() => useWays({ name: 'Gus', times: '3' }, vi.fn()));
  history.pushState(null, '', '/anna/intro?slot=30000000&tz=Asia%2FTokyo');
  link.click();
  const { pathname, searchParams } = new URL(link.href);
  expect(pathname).toBe('/anna/intro');
  expect(Object.fromEntries(searchParams)).toEqual({ slot: '30000000', tz: 'Asia/Tokyo', lang: 'fr' });

  const changes: object[] = [];
  const next = () =>
    renderHook(() => useWays({}, (change) => changes.push((change as (typed: object) => object)({ email: '' }))));
  next();
  next();
  expect(changes).toEqual([{ email: '', name: 'Gus', times: '3' }]);
});

test('what was typed on one page is not filled in on another', () => {
  history.replaceState(null, '', '/anna/intro');
  const link = addWays();
  renderHook(() => useWays({ name: 'Gus' }, vi.fn()));
  link.click();
  history.replaceState(null, '', '/bea/intro');
  const setTyped = vi.fn();
  renderHook(() => useWays({}, setTyped));
  expect(setTyped).not.toHaveBeenCalled();
});
