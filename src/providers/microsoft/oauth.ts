import type { OAuthAccess } from '#platform/oauth-server.ts';

/** Where Microsoft is: another pair for a national cloud, or an emulator. */
export interface MicrosoftEndpoints {
  /** Microsoft Graph with its version. */
  apiUrl: string;
  /** Microsoft Entra, before the tenant. */
  loginUrl: string;
}

export const microsoftEndpoints: MicrosoftEndpoints = {
  apiUrl: 'https://graph.microsoft.com/v1.0',
  loginUrl: 'https://login.microsoftonline.com',
};

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The least that reads and writes calendars; who signed in is in the signed identity. */
export function microsoftAccess(endpoints: MicrosoftEndpoints, tenant: string): OAuthAccess {
  const authority = `${endpoints.loginUrl}/${tenant}`;
  return {
    server: {
      // for `common` and the like, and for a tenant by domain, the issuer is the tenant of the signed-in person
      issuer: `${endpoints.loginUrl}/${guid.test(tenant) ? tenant : '{tenantid}'}/v2.0`,
      authorizationEndpoint: `${authority}/oauth2/v2.0/authorize`,
      tokenEndpoint: `${authority}/oauth2/v2.0/token`,
      jwksUri: `${authority}/discovery/v2.0/keys`,
      revocationEndpoint: null,
      authorizationParameters: { response_mode: 'query', prompt: 'select_account' },
    },
    apiUrl: endpoints.apiUrl,
    scopes: ['openid', 'profile', 'email', 'offline_access', 'Calendars.ReadWrite'],
    needed: [{ scope: 'calendars.readwrite', meaning: 'Have full access to your calendars' }],
    // granted as `Calendars.ReadWrite` or `https://graph.microsoft.com/Calendars.ReadWrite`, in any case
    normaliseScope: (scope) => scope.slice(scope.lastIndexOf('/') + 1).toLowerCase(),
  };
}
