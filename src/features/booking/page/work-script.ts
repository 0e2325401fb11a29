import { canSolve, solutionField, solve } from '#kernel/solve-challenge.ts';

/** Under load a form comes back with a challenge: this script solves it and sends the form again. */
const { challenge = '' } = document.currentScript?.dataset ?? {};
const field = document.querySelector<HTMLInputElement>(`input[name="${solutionField}"]`);

async function sendAgain(input: HTMLInputElement): Promise<void> {
  const solution = await solve(challenge);
  if (solution === null) return;
  input.value = solution;
  input.form?.submit();
}

if (field !== null && canSolve()) void sendAgain(field);
