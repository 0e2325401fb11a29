import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#kernel/contract-client.ts';
import { CopyButton } from './copy-button.tsx';
import { ErrorState } from './error-state.tsx';
import { UiProvider } from './ui-provider.tsx';
import { type Words, WordsProvider } from './words.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  Reflect.deleteProperty(document, 'execCommand');
});

const words = { copy: 'Copy', copied: 'Copied', copyRefused: 'By hand', requestId: 'Request ID' } as Words;
const error = new ApiError(503, 'UNAVAILABLE', 'Later.', { requestId: 'req-1' });

/**
 * Presses the buttons on a page over plain http, where browsers have no `navigator.clipboard`, and returns the copied
 * texts.
 */
async function pressAll(allowed: boolean): Promise<(string | undefined)[]> {
  const copied: (string | undefined)[] = [];
  document.execCommand = () => {
    copied.push(document.querySelector<HTMLTextAreaElement>('body > textarea')?.value);
    return allowed;
  };
  render(
    <UiProvider>
      <WordsProvider value={words}>
        <CopyButton text="https://holdfast.example/feed" />
        <ErrorState title="Not loaded" error={error} onRetry={() => {}} />
      </WordsProvider>
    </UiProvider>,
  );
  const user = userEvent.setup();
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  for (const button of screen.getAllByRole('button', { name: 'Copy' })) await user.click(button);
  return copied;
}

test('a text is copied also over plain HTTP', async () => {
  expect(await pressAll(true)).toEqual(['https://holdfast.example/feed', 'req-1']);
  expect(screen.getAllByRole('button', { name: 'Copied' })).toHaveLength(2);
});

test('a copy button explains how to copy by hand when the browser refuses', async () => {
  await pressAll(false);
  expect(screen.getAllByRole('button', { name: 'By hand' })).toHaveLength(2);
});
