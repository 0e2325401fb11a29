/** An authorisation server and what we ask of it, as data. Words as in RFC 8414 and OpenID Connect Discovery 1.0. */
export interface OAuthServer {
  /** As in `iss`; `{tenantid}` stands for the tenant that signed in (Microsoft's `common`). */
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksUri: string;
  /** Null where the provider knows no revocation (RFC 7009). */
  revocationEndpoint: string | null;
  /** Beyond what every authorisation request has: `access_type`, `prompt` … */
  authorizationParameters: Readonly<Record<string, string>>;
}

/** Our registration at a server. */
export interface OAuthClient {
  server: OAuthServer;
  clientId: string;
  clientSecret: string;
}

/** An OAuth provider's data for connecting an account. */
export interface OAuthAccess {
  server: OAuthServer;
  /** Root of the provider's API, without a trailing slash. */
  apiUrl: string;
  /** Everything that is asked for, the identity included. */
  scopes: readonly string[];
  /** Scopes that the product needs; the person may have unticked them. */
  needed: readonly { scope: string; meaning: string }[];
  /** One spelling of a scope: servers answer with longer or differently cased ones. */
  normaliseScope(scope: string): string;
}

/** The grant of a person: tokens and scopes. */
export interface Grant {
  accessToken: string;
  accessExpiresMs: number;
  /** Null if the server gave none: the stored one stays valid. */
  refreshToken: string | null;
  /** Null where the server did not say: what was asked for. */
  scopes: readonly string[] | null;
}

/** The signed-in identity. Only issuer and subject identify. The address is unverified text for people to read. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Microsoft: the tenant of `subject`. */
  tenant: string | null;
  email: string | null;
  /** Whether the server says that this person reads mail there. Microsoft's does not say so. */
  emailVerified: boolean;
  /** Microsoft (`xms_edov`): whether the tenant has proved that the domain of `email` is its own. */
  domainVerified: boolean;
  /** User name at the provider, often in the form of an address that nobody has verified. */
  userName: string | null;
  name: string | null;
}

/**
 * - grant: what a person gave us is gone; only they can give it again
 * - client: our registration is not accepted: the operator's to mend, nobody has to sign in again
 * - refused: the answer is not one to our question (state, nonce, issuer, signature)
 * - transient: may work next time
 */
export type OAuthFault = 'grant' | 'client' | 'refused' | 'transient';

export class OAuthError extends Error {
  readonly fault: OAuthFault;
  /** The server's word where it said one (`invalid_grant`, with its `error_subtype` or AADSTS number), else ours. */
  readonly code: string;

  constructor(fault: OAuthFault, code: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'OAuthError';
    this.fault = fault;
    this.code = code;
  }
}
