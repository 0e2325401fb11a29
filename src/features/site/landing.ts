import { showAuthPage } from '#features/access/public.ts';
import { isBillingOn, listPlans } from '#features/billing/public.ts';
import { isFreePlan, isTrialPlan, type Plan } from '#features/billing/rules.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import type { RawAnswer } from '#platform/raw-route.ts';
import { listDocs } from './docs.ts';
import { findOperatorText } from './legal.ts';
import type { AdvertisedPlan, LandingData } from './rules.ts';
import { getSiteVisitor } from './site.ts';

const comeBack = showAuthPage('/');

/**
 * The root address. It continues a sign-in at a provider, opens the app for a browser with a session cookie, and shows the
 * landing page to everybody else.
 */
export async function enter(app: App, call: PageCall): Promise<PageAnswer | null> {
  if (call.query.has('token')) return comeBack(app, call);
  if (call.request.onlooker?.sessionToken !== undefined) return null;
  return showLanding(app, call);
}

const dayMs = 86_400_000;

export async function showLanding(app: App, call: PageCall): Promise<PageAnswer> {
  const { config, clock } = app;
  const { language, locale, hour12, say, frame } = getSiteVisitor(app, call);
  const today = Math.floor(clock.nowMs() / dayMs);
  const data: LandingData = {
    ...frame,
    locale,
    hour12,
    // day 0 was a Thursday
    firstDay: today - ((today + 3) % 7),
    plans: await listAdvertisedPlans(app, locale),
    claim: (await findOperatorText(config, 'claim'))?.trim().split('\n', 1)[0] ?? null,
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

/** The plans on sale, or null if billing is off. */
async function listAdvertisedPlans(
  { config, db }: Pick<App, 'config' | 'db'>,
  locale: string,
): Promise<readonly AdvertisedPlan[] | null> {
  if (!isBillingOn(config)) return null;
  const plans = (await listPlans(db)).filter((plan) => plan.active && !isFreePlan(plan));
  return plans.map((plan) => ({
    id: plan.key,
    name: plan.name,
    price: priceOf(plan, locale),
    days: isTrialPlan(plan) ? plan.trialDays : null,
    every: plan.every,
    popular: plan.mostPopular,
    about: plan.description,
    features: plan.features,
  }));
}

function priceOf({ amount, currency }: Plan, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
  // Stripe counts in the smallest unit of the currency
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}

/** Private pages of users and guests, which search engines must not read. */
const privatePlaces = [
  '/api/',
  '/auth/',
  '/l/',
  '/booked/',
  '/admin',
  '/subscribe/',
  '/unsubscribe/',
  '/mfa/',
  '/join',
];

export async function showRobots({ config }: App): Promise<RawAnswer> {
  const lines = [
    'User-agent: *',
    ...privatePlaces.map((place) => `Disallow: ${place}`),
    'Allow: /api/docs',
    '',
    `Sitemap: ${config.publicUrl}/sitemap.xml`,
    '',
  ];
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    body: lines.join('\n'),
  };
}

/** The pages of the site. Booking pages are not listed: their owners decide whether to publish them. */
export async function showSitemap({ config }: App): Promise<RawAnswer> {
  const places = ['/', ...listDocs().map(({ name }) => `/docs/${name}`), '/privacy', '/terms', '/security'];
  const urls = places.map((place) => `<url><loc>${config.publicUrl}${place}</loc></url>`).join('');
  return {
    status: 200,
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    body: `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
  };
}
