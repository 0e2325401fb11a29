import { type Call, find, isActiveAsked, isAsked, listPage, type Route, refer } from './call.ts';
import { invalid } from './errors.ts';
import { boolOf, demand, intOf, metadataOf, partOf, textOf, textsOf } from './read-form.ts';
import { type Coupon, type Interval, nextId, type Price, type Product, type PromotionCode } from './world.ts';

/** Products, prices, coupons and promotion codes. */
export const catalogueRoutes: readonly Route[] = [
  { operation: 'products.create', method: 'POST', path: /^\/v1\/products$/, answer: createProduct },
  {
    operation: 'products.list',
    method: 'GET',
    path: /^\/v1\/products$/,
    answer: (call) =>
      listPage(
        call,
        '/v1/products',
        [...call.world.products.values()].filter(({ active }) => isActiveAsked(call.form, active)),
      ),
  },
  {
    operation: 'products.read',
    method: 'GET',
    path: /^\/v1\/products\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.products, 'product', id),
  },
  {
    operation: 'products.update',
    method: 'POST',
    path: /^\/v1\/products\/(\w+)$/,
    answer({ world, path: [id], form }) {
      const product = find(world.products, 'product', id);
      return Object.assign(product, {
        name: textOf(form, 'name') ?? product.name,
        description: textOf(form, 'description') ?? product.description,
        active: boolOf(form, 'active') ?? product.active,
        metadata: metadataOf(form, product.metadata),
      });
    },
  },
  { operation: 'prices.create', method: 'POST', path: /^\/v1\/prices$/, answer: createPrice },
  {
    operation: 'prices.list',
    method: 'GET',
    path: /^\/v1\/prices$/,
    answer(call) {
      const keys = textsOf(call.form, 'lookup_keys');
      const asked = [...call.world.prices.values()].filter(
        ({ active, product, lookup_key: key }) =>
          isActiveAsked(call.form, active) &&
          isAsked(call.form, 'product', product) &&
          (keys.length === 0 || (key !== null && keys.includes(key))),
      );
      return listPage(call, '/v1/prices', asked);
    },
  },
  {
    operation: 'prices.read',
    method: 'GET',
    path: /^\/v1\/prices\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.prices, 'price', id),
  },
  {
    operation: 'prices.update',
    method: 'POST',
    path: /^\/v1\/prices\/(\w+)$/,
    answer({ world, path: [id], form }) {
      const price = find(world.prices, 'price', id);
      const key = textOf(form, 'lookup_key');
      if (key !== null) takeKey(world.prices, key, boolOf(form, 'transfer_lookup_key') ?? false, price);
      return Object.assign(price, {
        active: boolOf(form, 'active') ?? price.active,
        nickname: textOf(form, 'nickname') ?? price.nickname,
        lookup_key: key ?? price.lookup_key,
        metadata: metadataOf(form, price.metadata),
      });
    },
  },
  { operation: 'coupons.create', method: 'POST', path: /^\/v1\/coupons$/, answer: createCoupon },
  {
    operation: 'coupons.list',
    method: 'GET',
    path: /^\/v1\/coupons$/,
    answer: (call) => listPage(call, '/v1/coupons', [...call.world.coupons.values()]),
  },
  {
    operation: 'coupons.read',
    method: 'GET',
    path: /^\/v1\/coupons\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.coupons, 'coupon', id),
  },
  {
    operation: 'coupons.delete',
    method: 'DELETE',
    path: /^\/v1\/coupons\/(\w+)$/,
    answer({ world, path: [id] }) {
      const coupon = find(world.coupons, 'coupon', id);
      coupon.valid = false;
      return { id: coupon.id, object: 'coupon', deleted: true };
    },
  },
  { operation: 'promotion_codes.create', method: 'POST', path: /^\/v1\/promotion_codes$/, answer: createCode },
  {
    operation: 'promotion_codes.list',
    method: 'GET',
    path: /^\/v1\/promotion_codes$/,
    answer: (call) =>
      listPage(
        call,
        '/v1/promotion_codes',
        [...call.world.promotionCodes.values()].filter(
          ({ active, code }) =>
            isActiveAsked(call.form, active) &&
            (textOf(call.form, 'code') ?? code).toLowerCase() === code.toLowerCase(),
        ),
      ),
  },
  {
    operation: 'promotion_codes.read',
    method: 'GET',
    path: /^\/v1\/promotion_codes\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.promotionCodes, 'promotion code', id),
  },
  {
    operation: 'promotion_codes.update',
    method: 'POST',
    path: /^\/v1\/promotion_codes\/(\w+)$/,
    answer({ world, path: [id], form }) {
      const code = find(world.promotionCodes, 'promotion code', id);
      return Object.assign(code, {
        active: boolOf(form, 'active') ?? code.active,
        metadata: metadataOf(form, code.metadata),
      });
    },
  },
];

function createProduct({ world, now, form }: Call): Product {
  const id = textOf(form, 'id') ?? nextId(world, 'prod');
  if (world.products.has(id)) throw invalid(`Product already exists.`, 'id', 'resource_already_exists');
  const product: Product = {
    id,
    object: 'product',
    created: now,
    metadata: metadataOf(form),
    name: demand(form, 'name'),
    description: textOf(form, 'description'),
    active: boolOf(form, 'active') ?? true,
  };
  world.products.set(id, product);
  return product;
}

const intervals: readonly string[] = ['day', 'week', 'month', 'year'];

function createPrice(call: Call): Price {
  const { world, now, form } = call;
  const product = refer(world.products, 'product', demand(form, 'product'), 'product').id;
  const amount = intOf(form, 'unit_amount');
  if (amount === null || amount < 0) throw invalid('Invalid non-negative integer', 'unit_amount');
  const currency = demand(form, 'currency');
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, 'currency');
  const recurring = partOf(form, 'recurring');
  const interval = textOf(recurring, 'interval');
  if (interval !== null && !intervals.includes(interval))
    throw invalid(`Invalid recurring[interval]: must be one of day, month, week, or year`, 'recurring[interval]');
  const key = textOf(form, 'lookup_key');
  if (key !== null) takeKey(world.prices, key, boolOf(form, 'transfer_lookup_key') ?? false);
  const price: Price = {
    id: nextId(world, 'price'),
    object: 'price',
    created: now,
    metadata: metadataOf(form),
    active: boolOf(form, 'active') ?? true,
    currency,
    lookup_key: key,
    nickname: textOf(form, 'nickname'),
    product,
    recurring:
      interval === null
        ? null
        : {
            interval: interval as Interval,
            interval_count: intOf(recurring, 'interval_count') ?? 1,
            usage_type: 'licensed',
            trial_period_days: null,
          },
    type: interval === null ? 'one_time' : 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
  world.prices.set(price.id, price);
  return price;
}

/** A key is of one price; it can be taken over. Source: "Prices", lookup keys. */
function takeKey(prices: ReadonlyMap<string, Price>, key: string, transfer: boolean, own?: Price): void {
  const other = [...prices.values()].find((one) => one.lookup_key === key && one !== own);
  if (other === undefined) return;
  if (!transfer)
    throw invalid(`A price (${other.id}) is already using that lookup key.`, 'lookup_key', 'resource_already_exists');
  other.lookup_key = null;
}

function createCoupon({ world, now, form }: Call): Coupon {
  const percent = textOf(form, 'percent_off');
  const amount = intOf(form, 'amount_off');
  if ((percent === null) === (amount === null)) throw invalid('Must provide percent_off or amount_off.');
  const duration = (textOf(form, 'duration') ?? 'once') as Coupon['duration'];
  if (!['once', 'repeating', 'forever'].includes(duration)) throw invalid('Invalid duration', 'duration');
  if (percent !== null && !(Number(percent) > 0 && Number(percent) <= 100))
    throw invalid('percent_off must be between 0 and 100.', 'percent_off');
  const coupon: Coupon = {
    id: textOf(form, 'id') ?? nextId(world, 'coupon'),
    object: 'coupon',
    created: now,
    metadata: metadataOf(form),
    name: textOf(form, 'name'),
    percent_off: percent === null ? null : Number(percent),
    amount_off: amount,
    currency: textOf(form, 'currency'),
    duration,
    duration_in_months: intOf(form, 'duration_in_months'),
    max_redemptions: intOf(form, 'max_redemptions'),
    redeem_by: intOf(form, 'redeem_by'),
    times_redeemed: 0,
    valid: true,
  };
  if (duration === 'repeating' && coupon.duration_in_months === null)
    throw invalid('You must pass duration_in_months when passing duration=repeating', 'duration_in_months');
  if (world.coupons.has(coupon.id)) throw invalid('Coupon already exists.', 'id', 'resource_already_exists');
  world.coupons.set(coupon.id, coupon);
  return coupon;
}

function createCode({ world, now, form }: Call): PromotionCode {
  const promotion = partOf(form, 'promotion');
  const coupon = refer(world.coupons, 'coupon', demand(promotion, 'coupon'), 'promotion[coupon]');
  const code = textOf(form, 'code') ?? nextId(world, 'CODE').slice(-8);
  const isTaken = [...world.promotionCodes.values()].some(
    (one) => one.active && one.code.toLowerCase() === code.toLowerCase(),
  );
  if (isTaken) throw invalid(`An active promotion code with \`code: ${code}\` already exists.`, 'code');
  const made: PromotionCode = {
    id: nextId(world, 'promo'),
    object: 'promotion_code',
    created: now,
    metadata: metadataOf(form),
    active: boolOf(form, 'active') ?? true,
    code,
    customer: textOf(form, 'customer'),
    expires_at: intOf(form, 'expires_at'),
    max_redemptions: intOf(form, 'max_redemptions'),
    times_redeemed: 0,
    promotion: { type: 'coupon', coupon: coupon.id },
  };
  world.promotionCodes.set(made.id, made);
  return made;
}
