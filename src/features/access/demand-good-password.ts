import { AppError } from '#kernel/errors.ts';
import { isLeakedPassword } from './is-leaked-password.ts';
import { passwordProblem } from './rules/password.ts';

/** *Errors*: AppError invalid (WEAK_PASSWORD), with the reason also under the name of the field it came in. */
export function demandGoodPassword(password: string, email: string, field: string): void {
  const problem = passwordProblem(password, email, isLeakedPassword);
  if (problem !== null) throw new AppError('invalid', 'WEAK_PASSWORD', problem, { fields: { [field]: problem } });
}
