import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';

/** A refusal in Twilio's words. Source: "Error and Warning Dictionary"; the body's form: "Twilio's response", exceptions. */
export class TwilioError extends Error {
  readonly code: number;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, code: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function errorReply({ status, code, message, headers }: TwilioError): Reply {
  return jsonReply(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, headers);
}

const refused = (code: number, message: string) => new TwilioError(400, code, message);

export const unauthorized = () =>
  new TwilioError(401, 20003, 'Authenticate', { 'www-authenticate': 'Basic realm="Twilio API"' });
export const suspended = () => new TwilioError(403, 20005, 'Account not active');
export const notFound = (path: string) => new TwilioError(404, 20404, `The requested resource ${path} was not found`);
/** Source: "API limits": 429 with code 20429; `Retry-After` is not promised. */
export const tooMany = (retryAfter?: string) =>
  new TwilioError(429, 20429, 'Too Many Requests', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
export const unavailable = () => new TwilioError(503, 20503, 'Service is unavailable');

export const noBody = () => refused(21602, 'Message body is required.');
export const tooLong = () => refused(21617, 'The concatenated message body exceeds the 1600 character limit');
export const noSender = () => refused(21603, "A 'From' phone number is required.");
export const noRecipient = () => refused(21604, "A 'To' phone number is required.");
export const badCallback = () => refused(21609, "The 'StatusCallback' URL is not a valid URL.");
export const badRecipient = (to: string) => refused(21211, `The 'To' number ${to} is not a valid phone number.`);
export const badSender = (from: string) => refused(21212, `The 'From' number ${from} is not a valid phone number.`);
export const notOwned = (from: string) =>
  refused(
    21606,
    `The 'From' phone number provided (${from}) is not a valid message-capable Twilio phone number for this destination/account.`,
  );
export const unknownService = () => refused(21705, 'The Messaging Service Sid is invalid.');
export const noRoute = (to: string) =>
  refused(21612, `The 'To' phone number: ${to}, is not currently reachable using the 'From' phone number via SMS.`);
export const noPermission = () =>
  refused(21408, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number.");
export const unsubscribed = () => refused(21610, 'Attempt to send to unsubscribed recipient');
export const notMobile = (to: string) => refused(21614, `'To' number is not a valid mobile number: ${to}`);
