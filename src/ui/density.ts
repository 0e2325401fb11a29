import { useSyncExternalStore } from 'react';

export type Density = 'comfortable' | 'compact';

const key = 'holdfast-density';
const listeners = new Set<() => void>();

function storedDensity(): Density {
  return localStorage.getItem(key) === 'compact' ? 'compact' : 'comfortable';
}

/** Puts the stored density on the page; once, before the first render. */
export function applyStoredDensity(): void {
  document.documentElement.dataset.density = storedDensity();
}

export function setDensity(density: Density): void {
  localStorage.setItem(key, density);
  document.documentElement.dataset.density = density;
  for (const notify of listeners) notify();
}

export function useDensity(): Density {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, storedDensity);
}
