import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hideToast, showToast, Toasts } from './toasts.tsx';
import { UiProvider } from './ui-provider.tsx';
import { type Words, WordsProvider } from './words.tsx';

const words: Words = {
  close: 'Close',
  retry: 'Retry',
  copy: 'Copy',
  copied: 'Copied',
  copyRefused: '',
  requestId: 'Request ID',
  plans: 'See plans',
  unexpected: 'Unexpected',
  unreachable: 'Unreachable',
  failed: 'Failed',
  cancel: 'Cancel',
  notifications: 'Notifications',
  loading: 'Loading',
  justNow: 'Just now',
  minutesAgo: (minutes) => `${minutes}m ago`,
  hoursAgo: (hours) => `${hours}h ago`,
  daysAgo: (days) => `${days}d ago`,
  earlierMonth: 'Earlier month',
  laterMonth: 'Later month',
  openPicker: 'Open picker',
  unreadable: (example) => `Type it like ${example}`,
  earliest: (when) => `${when} is the earliest`,
  latest: (when) => `${when} is the latest`,
};

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <UiProvider>
      <WordsProvider value={words}>
        <Toasts />
      </WordsProvider>
    </UiProvider>,
  );
});

afterEach(() => {
  act(() => hideToast('save'));
  cleanup();
  vi.useRealTimers();
});

test('a toast is in a polite live region and disappears after five seconds', () => {
  act(() => showToast({ subject: 'save', state: 'ok', message: 'Saved' }));
  expect(screen.getByText('Saved').closest('[aria-live="polite"]')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(4_900));
  expect(screen.queryByText('Saved')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(200));
  expect(screen.queryByText('Saved')).toBeNull();
});

test('a newer toast replaces the older one of the same subject', () => {
  act(() => showToast({ subject: 'save', state: 'pending', message: 'Saving' }));
  act(() => showToast({ subject: 'save', state: 'ok', message: 'Saved' }));
  expect(screen.queryByText('Saving')).toBeNull();
  expect(screen.getByText('Saved')).toBeTruthy();
});

test('an error toast stays until it is closed', () => {
  act(() => showToast({ subject: 'save', state: 'bad', message: 'Not saved' }));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText('Not saved')).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Close' }).click());
  expect(screen.queryByText('Not saved')).toBeNull();
});
