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

test('a page is outdated once the server serves another build', async () => {
  const { compareBuild, result } = await openPage('/assets/index-old.js');
  act(() => compareBuild('/assets/index-old.js'));
  expect(result.current).toBe(false);
  act(() => compareBuild('/assets/index-new.js'));
  expect(result.current).toBe(true);
});

test('a page is outdated when one of its chunks cannot be loaded', async () => {
  const { result } = await openPage('/assets/index-old.js');
  act(() => void window.dispatchEvent(new Event('vite:preloadError')));
  expect(result.current).toBe(true);
});

test('a page served from sources in development is never outdated', async () => {
  const { compareBuild, result } = await openPage('/main.tsx');
  act(() => compareBuild('/assets/index-new.js'));
  expect(result.current).toBe(false);
});
