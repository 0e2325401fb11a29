import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';

interface Problem {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  code?: string;
  decline_code?: string;
  param?: string;
}

/** A refusal in Stripe's words. Source: "Errors". */
export class StripeError extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, message: string, problem: Problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

export const errorReply = ({ status, message, problem }: StripeError): Reply =>
  jsonReply(status, { error: { ...problem, message } });

const refusal = (status: number, message: string, more: Omit<Problem, 'type'> = {}) =>
  new StripeError(status, message, { type: 'invalid_request_error', ...more });

export const invalidKey = (key: string) => refusal(401, `Invalid API Key provided: ${key.slice(0, 7)}****`);
export const noKey = () =>
  refusal(401, 'You did not provide an API key. You need to provide your API key in the Authorization header.');
export const notPermitted = () =>
  refusal(403, 'The provided key does not have the required permissions for this endpoint.');
export const unknownUrl = (method: string, path: string) =>
  refusal(404, `Unrecognized request URL (${method}: ${path}).`);
export const noSuch = (what: string, id: string, param = 'id') =>
  refusal(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param });
/** As for a wrong reference in a parameter, which is the caller's mistake and no missing page. */
export const noSuchReference = (what: string, id: string, param: string) =>
  refusal(400, `No such ${what}: '${id}'`, { code: 'resource_missing', param });
export const missing = (param: string) =>
  refusal(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param });
export const invalid = (message: string, param?: string, code?: string) =>
  refusal(400, message, { ...(code && { code }), ...(param && { param }) });
export const rateLimited = () =>
  refusal(
    429,
    'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.',
    {
      code: 'rate_limit',
    },
  );
export const declined = () =>
  new StripeError(402, 'Your card was declined.', {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
export const otherParameters = (key: string) =>
  new StripeError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  );
export const serverError = () => new StripeError(500, 'An unknown error occurred', { type: 'api_error' });
