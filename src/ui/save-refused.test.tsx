import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '#kernel/api-error.ts';
import { SaveRefused } from './save-refused.tsx';
import { TextField } from './text-field.tsx';
import { UiProvider } from './ui-provider.tsx';
import { type Words, WordsProvider } from './words.tsx';

afterEach(cleanup);

const editor = (error: Error | null) => (
  <WordsProvider value={{ failed: 'Failed', unexpected: 'Unexpected' } as Words}>
    <UiProvider env="test">
      <form>
        <SaveRefused error={error} reload="Reload" onReload={() => undefined} />
        <TextField label="Title" />
        <TextField label="Sites" error={error === null ? undefined : 'Use https'} />
      </form>
    </UiProvider>
  </WordsProvider>
);

test('a refused form shows its first refused field, once for each attempt', () => {
  const refused = new ApiError(422, 'INVALID_INPUT', 'Wrong', { fields: { sites: 'Use https' } });
  const { rerender } = render(editor(null));
  screen.getByLabelText('Title').focus();
  rerender(editor(refused));
  expect(document.activeElement).toBe(screen.getByLabelText('Sites'));
  screen.getByLabelText('Title').focus();
  rerender(editor(refused));
  expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  rerender(editor(new ApiError(422, 'INVALID_INPUT', 'Wrong')));
  expect(document.activeElement).toBe(screen.getByLabelText('Sites'));
});
