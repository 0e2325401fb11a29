import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { HelpPage } from './help-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('help');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('help begins with first steps and support, before the list of the documentation', async () => {
  const steps = { connected: false, mirrored: false, hours: false, link: false, copied: false, skipped: false };
  vi.stubGlobal('fetch', createFakeApi({ 'GET /api/first-steps': { body: steps } }).fetch);
  render(<ScreenFrame screen={HelpPage} at="/help" />);
  await screen.findByText('Getting Started');
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Getting Started', 'Contact Support', 'Documentation']);
});
