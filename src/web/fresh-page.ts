import { configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';

/** Timeout for screens of tests on a busy machine: the library's default is one second. */
configure({ asyncUtilTimeout: 30_000 });

/** Each test file begins with an empty page and with product modules that no other file has used. */
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  vi.resetModules();
});
