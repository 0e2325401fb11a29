/** A HubSpot account, reached by the token of a private app. */
export interface Portal {
  id: number;
  token: string;
  scopes: string[];
}

export interface CrmObject {
  id: string;
  properties: Record<string, string>;
  createdMs: number;
  updatedMs: number;
}

export interface Property {
  name: string;
  label: string;
  type: string;
  hasUniqueValue: boolean;
}

export const objectKinds = ['contacts', 'meetings'] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** The records of one portal. */
export interface Records {
  contacts: CrmObject[];
  meetings: CrmObject[];
  properties: Record<ObjectKind, Property[]>;
  /** `meeting contact`. */
  associations: Set<string>;
}

export interface Knobs {
  /** Requests of one private app in ten seconds. Source: "API usage guidelines". */
  perTenSeconds: number;
}

export interface World {
  portals: Map<string, Portal>;
  records: Map<number, Records>;
  recent: Map<number, number[]>;
  made: number;
  knobs: Knobs;
}

export const createWorld = (): World => ({
  portals: new Map(),
  records: new Map(),
  recent: new Map(),
  made: 0,
  knobs: { perTenSeconds: 100 },
});

const property = (name: string, hasUniqueValue = false): Property => ({
  name,
  label: name,
  type: 'string',
  hasUniqueValue,
});

/** The records of a new account. */
export const createRecords = (): Records => ({
  contacts: [],
  meetings: [],
  properties: {
    contacts: [property('email', true), ...['firstname', 'lastname', 'phone'].map((name) => property(name))],
    meetings: [
      'hs_timestamp',
      'hs_meeting_title',
      'hs_meeting_body',
      'hs_meeting_location',
      'hs_meeting_external_url',
      'hs_meeting_start_time',
      'hs_meeting_end_time',
      'hs_meeting_outcome',
    ].map((name) => property(name)),
  },
  associations: new Set(),
});
