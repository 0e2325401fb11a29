import { initialsOf } from '#kernel/text/trim-text.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { fillWords } from '../rules/fill-words.ts';
import { handlePattern, isReserved } from '../rules/handle.ts';
import { showLocation } from '../rules/show-offer.ts';
import type { ProfileData } from '../rules/visit-data.ts';
import { findProfile } from './find-profile.ts';
import { readVisitor } from './read-visitor.ts';
import { showNothing } from './show-nothing.ts';

/** All that a person or a team offers, at `/{handle}`. Null where the product itself may have something. */
export async function visitProfile(app: App, call: PageCall): Promise<PageAnswer | null> {
  const { handle = '' } = call.params;
  // the start page is no handle either
  if (!handlePattern.test(handle.toLowerCase()) || isReserved(handle.toLowerCase()) || !call.wantsHtml) return null;
  const profile = await findProfile(app, handle.toLowerCase());
  if (profile === null) return showNothing(app, call);
  if (profile.handle !== handle) return { kind: 'go', to: `/${profile.handle}` };
  const visitor = readVisitor(call, { zone: profile.zone });
  const data: ProfileData = {
    words: visitor.words,
    reading: visitor.reading,
    host: {
      name: profile.name,
      initials: initialsOf(profile.name),
      avatarUrl: profile.avatarUrl,
      path: `/${profile.handle}`,
    },
    about: profile.about,
    types: profile.types
      .filter(({ settings }) => !settings.paused)
      .map(({ slug, title, description, settings }) => ({
        path: `/${profile.handle}/${slug}`,
        title,
        description,
        durations: settings.durations_minutes,
        location: showLocation(settings.location),
        confirmation: settings.confirmation,
        recurring: settings.recurring,
        seats: settings.seats,
      })),
  };
  const title = fillWords(visitor.words, 'profile.title', { host: profile.name });
  return {
    kind: 'page',
    page: {
      name: 'profile',
      data,
      title,
      description: title,
      preview: { path: `/${profile.handle}`, title, description: profile.about || title, picture: profile.avatarUrl },
      language: visitor.language,
      frames: null,
      unlisted: false,
    },
  };
}
