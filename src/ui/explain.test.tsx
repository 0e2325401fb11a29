import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Desk } from './desk.tsx';
import { ExplainDesk, type ExplainPanelProps, useExplain } from './explain.ts';

afterEach(cleanup);

function Panel({ task, onClose }: ExplainPanelProps) {
  return (
    <button type="button" onClick={onClose}>
      Close what explains {task.about}
    </button>
  );
}

function Asker() {
  const explain = useExplain();
  return explain === null ? (
    <p>Nothing explains</p>
  ) : (
    <button type="button" onClick={() => explain({ about: 'mirrors', eventId: 'e1' })}>
      Why?
    </button>
  );
}

test('the explain panel loads on the first question and goes away when closed', async () => {
  let loads = 0;
  const load = () => {
    loads += 1;
    return Promise.resolve(Panel);
  };
  render(
    <Desk context={ExplainDesk} loadDialog={load}>
      <Asker />
    </Desk>,
  );
  expect(loads).toBe(0);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Why?' }));
  await user.click(await screen.findByRole('button', { name: 'Close what explains mirrors' }));
  expect(screen.queryByText('Close what explains mirrors')).toBeNull();
  expect(loads).toBe(1);
});

test('a component outside the explain provider knows that no explanation is available', () => {
  render(<Asker />);
  expect(screen.getByText('Nothing explains')).toBeTruthy();
});
