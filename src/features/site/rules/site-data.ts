import type { Words } from '#features/booking/rules/visit-data.ts';
import type { TextBlock } from '#kernel/markdown.ts';

/** What the pages of the site are given, as JSON; the server draws them, nothing in them is drawn by the browser. */

/** What stands around each of them. */
export interface SiteFrameData {
  words: Words;
  /** How the install is called. */
  product: string;
  logo: SiteLogo | null;
  /** On dark ground; null: the same. */
  darkLogo: SiteLogo | null;
  /** To the same page in each language. */
  ways: readonly { language: string; name: string; to: string }[];
  language: string;
  /** Whoever runs this install, if they have said so. */
  operator: string | null;
  /** Where they are written to. */
  contact: string | null;
  blog: string | null;
}

export interface SiteLogo {
  src: string;
  width: number;
  height: number;
}

export interface LandingData extends SiteFrameData {
  /** BCP 47, of dates and times. */
  locale: string;
  hour12: boolean;
  /** Days since 1970-01-01 of the Monday of the week that is drawn. */
  firstDay: number;
  /** What may be bought; null where nothing is. */
  plans: readonly AdvertisedPlan[] | null;
  /** What the operator says about the install, in their words. */
  claim: string | null;
}

export interface AdvertisedPlan {
  id: string;
  name: string;
  /** `$12` */
  price: string;
  /** Of a trial; null: it goes on month by month. */
  days: number | null;
  every: 'month' | 'year';
  popular: boolean;
  about: string;
  features: readonly string[];
}

export interface TextPageData extends SiteFrameData {
  title: string;
  /** Said before it. */
  notice: string | null;
  blocks: readonly TextBlock[];
  /** Neighbours, of the documentation. */
  pages: readonly { path: string; title: string; current: boolean }[];
}

/** One thing to say or to ask. */
export interface SayingData extends SiteFrameData {
  title: string;
  text: string;
  /** A form that asks for it to be done. */
  action: { to: string; label: string; fields: Readonly<Record<string, string>> } | null;
}
