import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Dialog } from './dialog.tsx';
import { UiProvider } from './ui-provider.tsx';
import { type Words, WordsProvider } from './words.tsx';

const words = { close: 'Close' } as Words;

afterEach(cleanup);

/** A page whose dialog is in the tree only while it is open, as a row's details are. */
function Rows({ keepsOpener }: { keepsOpener: boolean }) {
  const [opened, setOpened] = useState(false);
  return (
    <UiProvider>
      <WordsProvider value={words}>
        <h1 tabIndex={-1} data-page-title>
          Rows
        </h1>
        {keepsOpener || !opened ? (
          <button type="button" onClick={() => setOpened(true)}>
            View
          </button>
        ) : null}
        {opened ? (
          <Dialog opened title="Details" onClose={() => setOpened(false)}>
            <button type="button" onClick={() => setOpened(false)}>
              Done
            </button>
          </Dialog>
        ) : null}
      </WordsProvider>
    </UiProvider>
  );
}

async function openAndClose() {
  const view = screen.getByRole('button', { name: 'View' });
  view.focus();
  fireEvent.click(view);
  const done = await screen.findByRole('button', { name: 'Done' });
  done.focus();
  fireEvent.click(done);
}

test('a dialog that leaves the tree while open gives focus back to what opened it', async () => {
  render(<Rows keepsOpener />);
  await openAndClose();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('View'));
});

test('where what opened it is gone, the focus goes to the heading of the page', async () => {
  render(<Rows keepsOpener={false} />);
  await openAndClose();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Rows'));
});
