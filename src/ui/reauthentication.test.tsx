import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '#kernel/contract-client.ts';
import { type ProofDialogProps, ReauthenticationProvider, useReauthentication } from './reauthentication.tsx';

afterEach(cleanup);

let proven = false;
let tries = 0;
async function sensitive(): Promise<string> {
  tries += 1;
  if (!proven) throw new ApiError(403, 'REAUTHENTICATE', 'Prove who you are.');
  return 'done';
}

function Acts() {
  const withProof = useReauthentication();
  const [outcomes, setOutcomes] = useState<string[]>([]);
  const act = () => {
    withProof(sensitive).then(
      (outcome) => setOutcomes((before) => [...before, outcome]),
      (error: Error) => setOutcomes((before) => [...before, error.message]),
    );
  };
  return (
    <>
      <button type="button" onClick={act}>
        Act
      </button>
      <output>{outcomes.join(', ')}</output>
    </>
  );
}

function FakeDialog({ onProven, onCancel }: ProofDialogProps) {
  const prove = () => {
    proven = true;
    onProven();
  };
  return (
    <div role="dialog">
      <button type="button" onClick={prove}>
        Prove
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

const loadDialog = async () => FakeDialog;

function open() {
  proven = false;
  tries = 0;
  render(
    <ReauthenticationProvider loadDialog={loadDialog}>
      <Acts />
    </ReauthenticationProvider>,
  );
  return userEvent.setup();
}
const outcome = () => screen.getByRole('status').textContent;

test('requests that need reauthentication are repeated after it, and several share one dialog', async () => {
  const user = open();
  await user.click(screen.getByText('Act'));
  await user.click(screen.getByText('Act'));
  expect(await screen.findAllByRole('dialog')).toHaveLength(1);
  await user.click(screen.getByText('Prove'));
  await screen.findByText('done, done');
  expect([tries, screen.queryByRole('dialog')]).toEqual([4, null]);
});

test('a cancelled reauthentication returns the refusal, and the next request opens the dialog again', async () => {
  const user = open();
  await user.click(screen.getByText('Act'));
  await user.click(await screen.findByText('Cancel'));
  await screen.findByText('Prove who you are.');
  expect([tries, outcome()]).toEqual([1, 'Prove who you are.']);
  await user.click(screen.getByText('Act'));
  await user.click(await screen.findByText('Prove'));
  await screen.findByText('Prove who you are., done');
});

test('a request that needs no reauthentication opens no dialog', async () => {
  const user = open();
  proven = true;
  await user.click(screen.getByText('Act'));
  await screen.findByText('done');
  expect(screen.queryByRole('dialog')).toBeNull();
});
