import { useSyncExternalStore } from 'react';

export type Density = 'comfortable' | 'compact';

// public/theme.js puts the stored density on the page before the first paint.
const key = 'holdfast-density';
const listeners = new Set<() => void>();

function storedDensity(): Density {
  return localStorage.getItem(key) === 'compact' ? 'compact' : 'comfortable';
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
