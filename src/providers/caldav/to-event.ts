import { parseObjectInSlices } from '#kernel/ical/parse-object.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import type { ReadObject } from './fetch-objects.ts';

/** Reads resources of one account. A resource of tasks or journals alone is no event and gives null. */
export function objectReader(selfAddresses: readonly string[], tags: TagVerifier): ReadObject {
  return function* ({ ref, version, text, budget }) {
    const parsed = yield* parseObjectInSlices(text, { selfAddresses, tags, budget });
    const { uid, sequence, provenance, body, warnings, known } = parsed;
    if (body.kind === 'withheld' && holdsOnlyOther(text)) return null;
    return {
      ref,
      ...(uid === '' ? {} : { uid }),
      version,
      ...(sequence === undefined ? {} : { sequence }),
      provenance,
      body,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(known === undefined ? {} : { known }),
    };
  };
}

function holdsOnlyOther(text: string): boolean {
  return /^BEGIN:V(?:TODO|JOURNAL|FREEBUSY|AVAILABILITY|POLL)\b/im.test(text) && !/^BEGIN:VEVENT\b/im.test(text);
}
