import { useLocation } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startTranslations } from './i18n.ts';
import { ScreenFrame } from './screen-frame.tsx';
import { useDropOAuthReturn } from './use-drop-oauth-return.ts';

beforeAll(() => startTranslations('en'));
afterEach(cleanup);

function Shown() {
  useDropOAuthReturn();
  return <output>{useLocation({ select: ({ href }) => href })}</output>;
}

test.each([
  ['/dashboard?connected=google&status=success', '/dashboard'],
  ['/calendar?day=2027-03-08&connected=microsoft&status=error', '/calendar?day=2027-03-08'],
  ['/meetings?connected=google&status=success', '/meetings'],
  ['/meetings?tab=mirrors&status=failed', '/meetings?tab=mirrors&status=failed'],
  ['/profile?connected=google', '/profile'],
  // this screen shows the outcome first
  ['/integrations?connected=google&status=success', '/integrations?connected=google&status=success'],
])('after the return from a provider, the address %s becomes %s', async (at, left) => {
  render(<ScreenFrame screen={Shown} at={at} />);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(left));
});
