import { initialsOf } from '#kernel/text/trim-text.ts';
import type { PublicType } from '../find-public-type.ts';
import type { ShownHost } from '../rules/visit-data.ts';

/** Returns the public part of a page's owner. */
export function showHost({ host, team, handle }: Pick<PublicType, 'host' | 'team' | 'handle'>): ShownHost {
  const { name, avatarUrl } = team === null ? host : { name: team.name, avatarUrl: team.logoUrl };
  return { name, initials: initialsOf(name), avatarUrl, path: handle === null ? null : `/${handle}` };
}
