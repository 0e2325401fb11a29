/** Objects as they go over the wire, in the shape of the API version below; times are epoch seconds, money is cents. */
export const apiVersion = '2026-10-28.endive';

export interface Base {
  id: string;
  created: number;
  metadata: Record<string, string>;
}

export interface Address {
  country: string | null;
  postal_code: string | null;
}

export interface Customer extends Base {
  object: 'customer';
  email: string | null;
  name: string | null;
  address: Address | null;
  delinquent: boolean;
  /** Cents that the next invoice is less by, where it is below zero. */
  balance: number;
  invoice_settings: { default_payment_method: string | null };
  test_clock: string | null;
}

/** Behavior of a card: whether it can be kept, and whether it can be charged. Source: "Test cards". */
export type Fate = 'pays' | 'declined' | 'kept-then-declined';

export interface PaymentMethod extends Base {
  object: 'payment_method';
  type: 'card';
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
}

export interface Product extends Base {
  object: 'product';
  name: string;
  description: string | null;
  active: boolean;
}

export type Interval = 'day' | 'week' | 'month' | 'year';

export interface Price extends Base {
  object: 'price';
  active: boolean;
  currency: string;
  lookup_key: string | null;
  nickname: string | null;
  product: string;
  recurring: { interval: Interval; interval_count: number; usage_type: 'licensed'; trial_period_days: null } | null;
  type: 'recurring' | 'one_time';
  unit_amount: number;
  unit_amount_decimal: string;
}

export interface Coupon extends Base {
  object: 'coupon';
  name: string | null;
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
  duration: 'once' | 'repeating' | 'forever';
  duration_in_months: number | null;
  max_redemptions: number | null;
  redeem_by: number | null;
  times_redeemed: number;
  valid: boolean;
}

export interface PromotionCode extends Base {
  object: 'promotion_code';
  active: boolean;
  code: string;
  customer: string | null;
  expires_at: number | null;
  max_redemptions: number | null;
  times_redeemed: number;
  promotion: { type: 'coupon'; coupon: string };
}

export interface Discount {
  id: string;
  object: 'discount';
  customer: string;
  subscription: string;
  promotion_code: string | null;
  source: { type: 'coupon'; coupon: string };
  start: number;
  end: number | null;
}

export interface SubscriptionItem extends Base {
  object: 'subscription_item';
  subscription: string;
  price: Price;
  quantity: number;
  current_period_start: number;
  current_period_end: number;
}

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled'
  | 'unpaid'
  | 'paused';

export interface Subscription extends Base {
  object: 'subscription';
  status: SubscriptionStatus;
  customer: string;
  currency: string;
  items: List<SubscriptionItem>;
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; feedback: string | null; reason: string | null };
  collection_method: 'charge_automatically';
  default_payment_method: string | null;
  discounts: string[];
  ended_at: number | null;
  latest_invoice: string | null;
  start_date: number;
  test_clock: string | null;
  trial_start: number | null;
  trial_end: number | null;
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' | 'create_invoice' | 'pause' } };
  automatic_tax: { enabled: boolean };
}

export interface InvoiceLine {
  id: string;
  object: 'line_item';
  amount: number;
  subtotal: number;
  currency: string;
  description: string;
  quantity: number;
  period: { start: number; end: number };
  pricing: { type: 'price_details'; price_details: { price: string; product: string }; unit_amount_decimal: string };
  subscription: string;
  parent: {
    type: 'subscription_item_details';
    subscription_item_details: { subscription: string; subscription_item: string; proration: boolean };
  };
}

export interface Invoice extends Base {
  object: 'invoice';
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  number: string | null;
  customer: string;
  customer_email: string | null;
  customer_name: string | null;
  currency: string;
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  parent: {
    type: 'subscription_details';
    subscription_details: { subscription: string; metadata: Record<string, string> };
  };
  lines: List<InvoiceLine>;
  subtotal: number;
  total_discount_amounts: { amount: number; discount: string }[];
  total_taxes: { amount: number; tax_behavior: 'exclusive' }[];
  total: number;
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  automatically_finalizes_at: number | null;
  next_payment_attempt: number | null;
  period_start: number;
  period_end: number;
  hosted_invoice_url: string | null;
  invoice_pdf: string | null;
  status_transitions: {
    finalized_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
    marked_uncollectible_at: number | null;
  };
  test_clock: string | null;
}

export interface CheckoutSession extends Base {
  object: 'checkout.session';
  mode: 'subscription';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  customer: string | null;
  customer_email: string | null;
  customer_details: { email: string | null; name: string | null; address: Address | null } | null;
  client_reference_id: string | null;
  subscription: string | null;
  invoice: string | null;
  currency: string;
  amount_subtotal: number;
  amount_total: number;
  allow_promotion_codes: boolean;
  payment_method_collection: 'always' | 'if_required';
  automatic_tax: { enabled: boolean; status: 'complete' | null };
  success_url: string;
  cancel_url: string | null;
  expires_at: number;
  url: string | null;
}

/** The result that a session will create, which the API does not return. */
export interface CheckoutPlan {
  items: { price: string; quantity: number }[];
  trialDays: number | null;
  trialEnd: number | null;
  missingPaymentMethod: Subscription['trial_settings']['end_behavior']['missing_payment_method'];
  metadata: Record<string, string>;
  promotionCode: string | null;
  coupon: string | null;
}

export interface PortalConfiguration extends Base {
  object: 'billing_portal.configuration';
  active: boolean;
  is_default: boolean;
  default_return_url: string | null;
  features: {
    customer_update: { enabled: boolean };
    invoice_history: { enabled: boolean };
    payment_method_update: { enabled: boolean };
    subscription_cancel: { enabled: boolean; mode: 'at_period_end' | 'immediately' };
    subscription_update: {
      enabled: boolean;
      products: { product: string; prices: string[] }[];
      proration_behavior: Proration;
    };
  };
}

export interface PortalSession extends Omit<Base, 'metadata'> {
  object: 'billing_portal.session';
  configuration: string;
  customer: string;
  return_url: string | null;
  url: string;
}

export type Proration = 'create_prorations' | 'always_invoice' | 'none';

export interface WebhookEndpoint extends Base {
  object: 'webhook_endpoint';
  url: string;
  status: 'enabled' | 'disabled';
  enabled_events: string[];
  api_version: string;
  description: string | null;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  type: string;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
}

export interface TestClock extends Omit<Base, 'metadata'> {
  object: 'test_helpers.test_clock';
  name: string | null;
  frozen_time: number;
  status: 'ready';
}

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export interface Knobs {
  /** Requests a second of one key. Source: "Rate limits", a sandbox. */
  requestsPerSecond: number;
  /** Days after the first attempt at which an invoice is tried again, and what becomes of the subscription in the end. */
  retryDays: number[];
  afterRetries: 'cancel' | 'unpaid' | 'past_due';
  /** Percent, exclusive, where a customer's country has one and automatic tax is on. */
  taxPercent: Record<string, number>;
}

/** One account at Stripe: its keys, what it keeps, and what has yet to be told. */
export interface World {
  /** Secret keys, and those that may read only. */
  keys: Map<string, 'secret' | 'restricted'>;
  customers: Map<string, Customer>;
  cards: Map<string, PaymentMethod>;
  fates: Map<string, Fate>;
  products: Map<string, Product>;
  prices: Map<string, Price>;
  coupons: Map<string, Coupon>;
  promotionCodes: Map<string, PromotionCode>;
  discounts: Map<string, Discount>;
  subscriptions: Map<string, Subscription>;
  invoices: Map<string, Invoice>;
  sessions: Map<string, CheckoutSession>;
  plans: Map<string, CheckoutPlan>;
  configurations: Map<string, PortalConfiguration>;
  portals: Map<string, PortalSession>;
  endpoints: Map<string, WebhookEndpoint>;
  /** Signing secrets by endpoint. */
  secrets: Map<string, string>;
  clocks: Map<string, TestClock>;
  events: StripeEvent[];
  /** Prorations that the next invoice takes, by subscription. */
  pending: Map<string, InvoiceLine[]>;
  /** Subscriptions whose owner was told that their trial ends. */
  warned: Set<string>;
  /** Customers that were deleted, whose id is still known. */
  deleted: Set<string>;
  /** Answers under an idempotency key, for a day. */
  kept: Map<string, { request: string; atMs: number; status: number; body: string }>;
  recent: Map<string, number[]>;
  made: number;
  /** Where it is reached, as the last request said. */
  origin: string;
  knobs: Knobs;
}

export const createWorld = (): World => ({
  keys: new Map(),
  customers: new Map(),
  cards: new Map(),
  fates: new Map(),
  products: new Map(),
  prices: new Map(),
  coupons: new Map(),
  promotionCodes: new Map(),
  discounts: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
  sessions: new Map(),
  plans: new Map(),
  configurations: new Map(),
  portals: new Map(),
  endpoints: new Map(),
  secrets: new Map(),
  clocks: new Map(),
  events: [],
  pending: new Map(),
  warned: new Set(),
  deleted: new Set(),
  kept: new Map(),
  recent: new Map(),
  made: 0,
  origin: '',
  knobs: { requestsPerSecond: 25, retryDays: [3, 5, 7], afterRetries: 'cancel', taxPercent: {} },
});

/** Another one each time, the same ones in every run. */
export function nextId(world: World, prefix: string): string {
  world.made += 1;
  return `${prefix}_${world.made.toString(36).toUpperCase().padStart(16, '0')}`;
}

export const listOf = <T>(url: string, data: T[]): List<T> => ({ object: 'list', data, has_more: false, url });
