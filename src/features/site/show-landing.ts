import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { advertisePlans } from './advertise-plans.ts';
import { readOperatorText } from './read-operator-text.ts';
import { readSiteVisitor } from './read-site-visitor.ts';
import type { LandingData } from './rules/site-data.ts';

const dayMs = 86_400_000;

export async function showLanding(app: App, call: PageCall): Promise<PageAnswer> {
  const { config, clock } = app;
  const { language, locale, hour12, say, frame } = readSiteVisitor(app, call);
  const today = Math.floor(clock.nowMs() / dayMs);
  const data: LandingData = {
    ...frame,
    locale,
    hour12,
    // day 0 was a Thursday
    firstDay: today - ((today + 3) % 7),
    plans: await advertisePlans(app, locale),
    claim: (await readOperatorText(config, 'claim'))?.trim().split('\n', 1)[0] ?? null,
  };
  return {
    kind: 'page',
    page: {
      name: 'landing',
      data,
      title: say('title'),
      description: say('description'),
      language,
      frames: null,
      unlisted: false,
      site: {
        // the same page stands at / too
        address: `${config.publicUrl}/`,
        picture: { url: `${config.publicUrl}/tour/poster-light.webp`, width: 1280, height: 800 },
        analytics: config.operator.analyticsScript,
      },
    },
  };
}
