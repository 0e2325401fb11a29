import type { OAuthAccess } from '#platform/oauth-server.ts';

/** Where Google is: replaced as a whole or in parts for an emulator. */
export interface GoogleEndpoints {
  apiUrl: string;
  authorizeUrl: string;
  tokenUrl: string;
  revokeUrl: string;
  jwksUrl: string;
  issuer: string;
}

export const googleEndpoints: GoogleEndpoints = {
  apiUrl: 'https://www.googleapis.com',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revokeUrl: 'https://oauth2.googleapis.com/revoke',
  jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
  issuer: 'https://accounts.google.com',
};

const events = 'https://www.googleapis.com/auth/calendar.events';
/** Optional: when guests are busy. No other scope of ours reaches `freeBusy.query`. */
const freeBusy = 'https://www.googleapis.com/auth/calendar.events.freebusy';
const list = 'https://www.googleapis.com/auth/calendar.calendarlist.readonly';

/** The least that reads events, writes blocks, lists calendars and tells when guests are busy; never the whole of `calendar`. */
export function googleAccess(endpoints: GoogleEndpoints): OAuthAccess {
  return {
    server: {
      issuer: endpoints.issuer,
      authorizationEndpoint: endpoints.authorizeUrl,
      tokenEndpoint: endpoints.tokenUrl,
      jwksUri: endpoints.jwksUrl,
      revocationEndpoint: endpoints.revokeUrl,
      // without both, a second consent brings no refresh token
      authorizationParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    },
    apiUrl: endpoints.apiUrl,
    scopes: ['openid', 'email', events, list, freeBusy],
    needed: [
      { scope: events, meaning: 'View and edit events on all your calendars' },
      { scope: list, meaning: 'See the list of Google calendars you’re subscribed to' },
    ],
    normaliseScope: (scope) => scope,
  };
}
