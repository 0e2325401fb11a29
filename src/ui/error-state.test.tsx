import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#kernel/api-error.ts';
import { ErrorState } from './error-state.tsx';
import { type Words, WordsProvider } from './words.tsx';

const words = { retry: 'Retry', requestId: 'Request ID', copy: 'Copy' } as Words;

afterEach(cleanup);

function show(error: ApiError) {
  render(
    <WordsProvider value={words}>
      <ErrorState title="The workflow could not be loaded" error={error} onRetry={vi.fn()} />
    </WordsProvider>,
  );
}

test('an error state offers a retry and shows the request id', () => {
  show(new ApiError(503, 'UNAVAILABLE', 'Not now.', { requestId: 'r-1' }));
  expect(screen.getByRole('heading').textContent).toBe('The workflow could not be loaded');
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
  expect(screen.getByText('r-1')).toBeDefined();
});

test('an error state for a missing object shows only that, without a retry', () => {
  show(new ApiError(404, 'NOT_FOUND', 'Workflow not found.', { requestId: 'r-1' }));
  expect(screen.getByRole('heading').textContent).toBe('Workflow not found.');
  expect(screen.queryByRole('button')).toBeNull();
});
