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

test('a dialog removed while open returns focus to its opener', async () => {
  render(<Rows keepsOpener />);
  await openAndClose();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('View'));
});

test('a dialog whose opener is gone moves focus to the page heading', async () => {
  render(<Rows keepsOpener={false} />);
  await openAndClose();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Rows'));
});

/** Details that are fetched, a form in their stead, and a question about it: the form and the question end together. */
function Asking() {
  const [step, setStep] = useState<'none' | 'details' | 'form' | 'question'>('none');
  const none = () => setStep('none');
  return (
    <UiProvider>
      <WordsProvider value={words}>
        <h1 tabIndex={-1} data-page-title>
          Rows
        </h1>
        <button type="button" onClick={() => setStep('details')}>
          Edit
        </button>
        {step === 'details' ? (
          <Dialog key="details" opened title="Details" onClose={none}>
            <button type="button" onClick={() => setStep('form')}>
              Go on
            </button>
          </Dialog>
        ) : null}
        {step === 'form' || step === 'question' ? (
          <Dialog key="form" opened title="Form" onClose={none}>
            <button type="button" onClick={() => setStep('question')}>
              Save
            </button>
          </Dialog>
        ) : null}
        {step === 'question' ? (
          <Dialog key="question" opened title="Question" onClose={none}>
            <button type="button" onClick={none}>
              All of them
            </button>
          </Dialog>
        ) : null}
      </WordsProvider>
    </UiProvider>
  );
}

test('nested and replaced dialogs return focus to the opener of the first', async () => {
  render(<Asking />);
  for (const name of ['Edit', 'Go on', 'Save', 'All of them']) {
    const button = await screen.findByRole('button', { name });
    button.focus();
    fireEvent.click(button);
  }
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'));
});
