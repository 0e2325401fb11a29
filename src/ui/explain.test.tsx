import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { type ExplainPanelProps, ExplainProvider, useExplain } from './explain.tsx';

afterEach(cleanup);

function Panel({ question, onClose }: ExplainPanelProps) {
  return (
    <button type="button" onClick={onClose}>
      Close what explains {question.about}
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

test('the panel is fetched when something is asked, and goes when it is closed', async () => {
  let loads = 0;
  const load = () => {
    loads += 1;
    return Promise.resolve(Panel);
  };
  render(
    <ExplainProvider loadPanel={load}>
      <Asker />
    </ExplainProvider>,
  );
  expect(loads).toBe(0);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Why?' }));
  await user.click(await screen.findByRole('button', { name: 'Close what explains mirrors' }));
  expect(screen.queryByText('Close what explains mirrors')).toBeNull();
  expect(loads).toBe(1);
});

test('where nothing explains, who would ask knows', () => {
  render(<Asker />);
  expect(screen.getByText('Nothing explains')).toBeTruthy();
});
