import type { Words } from '#features/booking/rules/visit-data.ts';
import type { TextBlock } from '#kernel/markdown.ts';

/** An office subscribes through one network. */
export const asksPerNetwork = { action: 'subscribe, network', burst: 20, periodSeconds: 3_600 };
/** Addresses of everybody together that need no work, and those of browsers that cannot do any. */
export const busySubscribing = {
  purpose: 'subscribe',
  quiet: { action: 'subscribe, without work', burst: 60, periodSeconds: 3_600 },
  plain: { action: 'subscribe, without script', burst: 20, periodSeconds: 3_600 },
};
/** Protects an address from many mails that another person asked for. */
export const mailsPerSubscriber = { action: 'subscribe, address', burst: 3, periodSeconds: 86_400 };
/** The link in the mail lives as long as the mail may take to arrive and be read. */
export const confirmDays = 3;

/** Props of the pages of the site. Only the server renders them. */

/** Props of the frame around each page. */
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
  /** The operator's name, or null. */
  operator: string | null;
  /** Where they are written to. */
  contact: string | null;
  blog: string | null;
}

interface SiteLogo {
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
  /** The plans on sale, or null. */
  plans: readonly AdvertisedPlan[] | null;
  /** The operator's own text about the install. */
  claim: string | null;
}

export interface AdvertisedPlan {
  id: string;
  name: string;
  /** `$12` */
  price: string;
  /** Length of a trial in days, or null for a subscription. */
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
  /** The page ends mails: nothing beside it advertises the install or the newsletter. */
  isPlain: boolean;
}
