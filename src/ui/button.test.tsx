import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ActionButton } from './button.tsx';

afterEach(cleanup);

test('a double-click submits a form once, and a later click or Enter submits it again', () => {
  const submit = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <ActionButton pending={false} pendingLabel="Creating...">
        Create
      </ActionButton>
    </form>,
  );
  const button = screen.getByRole('button', { name: 'Create' });
  // as a browser counts the presses of a double-click
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(submit).toHaveBeenCalledTimes(1);
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 0 });
  expect(submit).toHaveBeenCalledTimes(3);
});

test('a double-click calls an action once', () => {
  const act = vi.fn();
  render(
    <ActionButton type="button" pending={false} pendingLabel="Saving..." onClick={act}>
      Save
    </ActionButton>,
  );
  const button = screen.getByRole('button', { name: 'Save' });
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(act).toHaveBeenCalledTimes(1);
});
