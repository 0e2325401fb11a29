import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startTranslations } from './i18n.ts';
import { ScreenFrame } from './screen-frame.tsx';
import { SecurityNotice } from './security-notice.tsx';
import type { SessionUser } from './session.ts';

beforeAll(() => startTranslations('en'));
afterEach(cleanup);

const shown = (user: Partial<SessionUser>) => {
  render(<ScreenFrame screen={() => <SecurityNotice user={user as SessionUser} />} at="/calendar" />);
};

test('an administrator without a second factor sees the security notice', async () => {
  shown({ role: 'admin', mfaEnabled: false });
  expect(
    await screen.findByText('Security Notice: Enable multi-factor authentication to secure your admin account.'),
  ).toBeDefined();
  expect(screen.getByRole('link', { name: 'Enable MFA Now' }).getAttribute('href')).toBe(
    '/mfa/enroll?from=%2Fcalendar',
  );
});

test('the security notice is hidden for users and for administrators with a second factor', async () => {
  shown({ role: 'admin', mfaEnabled: true });
  shown({ role: 'user', mfaEnabled: false });
  // drawn last, and alone in it
  shown({ role: 'admin', mfaEnabled: false });
  expect(await screen.findAllByText(/Security Notice/)).toHaveLength(1);
});
