import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => vi.resetModules());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** A page of its own, whose first script is this; one that stood in the document would be fetched. */
async function openPage(script: string) {
  vi.spyOn(document, 'querySelector').mockReturnValueOnce({ getAttribute: () => script } as unknown as Element);
  const { compareBuild, useIsNewBuild } = await import('./new-build.ts');
  const { result } = renderHook(() => useIsNewBuild());
  return { compareBuild, result };
}

test('a page is older once the server serves another build than its own', async () => {
  const { compareBuild, result } = await openPage('/assets/index-old.js');
  act(() => compareBuild('/assets/index-old.js'));
  expect(result.current).toBe(false);
  act(() => compareBuild('/assets/index-new.js'));
  expect(result.current).toBe(true);
});

test('a page whose parts are no longer there is older', async () => {
  const { result } = await openPage('/assets/index-old.js');
  act(() => void window.dispatchEvent(new Event('vite:preloadError')));
  expect(result.current).toBe(true);
});

test('a page that is served as its sources, as in development, never is', async () => {
  const { compareBuild, result } = await openPage('/main.tsx');
  act(() => compareBuild('/assets/index-new.js'));
  expect(result.current).toBe(false);
});
