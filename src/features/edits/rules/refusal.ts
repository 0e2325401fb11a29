/** Why an edit cannot be made; thrown by rules, since every step of one may say no, and told as an AppError. */
export class EditRefused extends Error {
  readonly code: 'BAD_TIME' | 'BAD_RECURRENCE';

  constructor(code: 'BAD_TIME' | 'BAD_RECURRENCE', message: string) {
    super(message);
    this.name = 'EditRefused';
    this.code = code;
  }
}
