import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type ProofDialogProps, ReauthenticationProvider } from '#ui/reauthentication.tsx';
import { createFakeApi, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { FeedsDialog } from './feeds-dialog.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('feeds');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const Proof = ({ onProven }: ProofDialogProps) => (
  <button type="button" onClick={onProven}>
    Prove it
  </button>
);
const loadProof = async () => Proof;
const Dialog = () => (
  <ReauthenticationProvider loadDialog={loadProof}>
    <FeedsDialog onClose={() => undefined} />
  </ReauthenticationProvider>
);

test('the secret address of a feed is hidden until it is asked for, and then needs a proof', async () => {
  const feed = { content: 'busy', createdAt: '2027-03-01T09:00:00Z', lastReadAt: null, isCut: false };
  let proved = false;
  const api = createFakeApi({
    'GET /api/published-feeds': ({ query }) => {
      const isAsked = query.get('addresses') === '1';
      if (isAsked && !proved) {
        proved = true;
        return refusal(403, 'REAUTHENTICATE', 'This needs a proof.');
      }
      const url = isAsked ? 'https://holdfast.example/feeds/secret.ics' : null;
      return { body: { available: true, feeds: [{ ...feed, url }] } };
    },
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={Dialog} at="/calendar" />);
  const user = userEvent.setup();
  const show = await screen.findByRole('button', { name: 'Show URL: Busy times only' });
  expect(screen.queryByLabelText('URL for busy times')).toBeNull();
  await user.click(show);
  await user.click(await screen.findByText('Prove it'));
  expect(await screen.findByLabelText('URL for busy times')).toHaveProperty(
    'value',
    'https://holdfast.example/feeds/secret.ics',
  );
});

test('a feed whose last reading was incomplete says so, and a complete one does not', async () => {
  const read = { createdAt: '2027-03-01T09:00:00Z', lastReadAt: '2027-03-01T10:00:00Z', url: null };
  const feeds = [
    { ...read, content: 'events', isCut: true },
    { ...read, content: 'busy', isCut: false },
  ];
  const api = createFakeApi({ 'GET /api/published-feeds': () => ({ body: { available: true, feeds } }) });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={Dialog} at="/calendar" />);
  const notice = await screen.findByText(/more events than a feed can hold/);
  expect(notice.closest('section')?.textContent).toContain('All events');
  expect(screen.getAllByText(/more events than a feed can hold/)).toHaveLength(1);
});
