import { announce, change } from './announce.ts';
import { cancel, isOver } from './billing.ts';
import { type Call, find, isAsked, listPage, type Route, refer } from './call.ts';
import { noSuch } from './errors.ts';
import { type Form, metadataOf, partOf, textOf } from './read-form.ts';
import { type Address, type Customer, type Fate, nextId, type PaymentMethod, type World } from './world.ts';

export const customerRoutes: readonly Route[] = [
  { operation: 'customers.create', method: 'POST', path: /^\/v1\/customers$/, answer: createCustomer },
  {
    operation: 'customers.list',
    method: 'GET',
    path: /^\/v1\/customers$/,
    answer: (call) =>
      listPage(
        call,
        '/v1/customers',
        [...call.world.customers.values()].filter(({ email }) => isAsked(call.form, 'email', email)),
      ),
  },
  {
    operation: 'customers.read',
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)$/,
    answer({ world, path: [id = ''] }) {
      if (world.deleted.has(id)) return { id, object: 'customer', deleted: true };
      return find(world.customers, 'customer', id);
    },
  },
  {
    operation: 'customers.update',
    method: 'POST',
    path: /^\/v1\/customers\/(\w+)$/,
    answer(call) {
      const { world, path, form } = call;
      const customer = find(world.customers, 'customer', path[0]);
      const card = textOf(partOf(form, 'invoice_settings'), 'default_payment_method');
      if (card !== null) refer(world.cards, 'PaymentMethod', card, 'invoice_settings[default_payment_method]');
      change(call, 'customer.updated', customer, {
        email: textOf(form, 'email') ?? customer.email,
        name: textOf(form, 'name') ?? customer.name,
        address: addressOf(form) ?? customer.address,
        invoice_settings: { default_payment_method: card ?? customer.invoice_settings.default_payment_method },
        metadata: metadataOf(form, customer.metadata),
      });
      return customer;
    },
  },
  {
    operation: 'customers.delete',
    method: 'DELETE',
    path: /^\/v1\/customers\/(\w+)$/,
    answer(call) {
      const customer = find(call.world.customers, 'customer', call.path[0]);
      deleteCustomer(call, customer);
      return { id: customer.id, object: 'customer', deleted: true };
    },
  },
  {
    operation: 'payment_methods.list',
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)\/payment_methods$/,
    answer(call) {
      const { id } = find(call.world.customers, 'customer', call.path[0]);
      const cards = [...call.world.cards.values()].filter(({ customer }) => customer === id);
      return listPage(call, `/v1/customers/${id}/payment_methods`, cards);
    },
  },
  {
    operation: 'payment_methods.read',
    method: 'GET',
    path: /^\/v1\/payment_methods\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.cards, 'PaymentMethod', id),
  },
];

function createCustomer(call: Call): Customer {
  const { world, now, form } = call;
  const clock = textOf(form, 'test_clock');
  if (clock !== null && !world.clocks.has(clock)) throw noSuch('test clock', clock, 'test_clock');
  return makeCustomer(call, {
    email: textOf(form, 'email'),
    name: textOf(form, 'name'),
    address: addressOf(form),
    metadata: metadataOf(form),
    test_clock: clock,
    created: now,
  });
}

export function makeCustomer(
  at: Pick<Call, 'world' | 'now' | 'deliveries' | 'request'>,
  given: Pick<Customer, 'email' | 'name' | 'address' | 'metadata' | 'test_clock' | 'created'>,
): Customer {
  const customer: Customer = {
    id: nextId(at.world, 'cus'),
    object: 'customer',
    delinquent: false,
    balance: 0,
    invoice_settings: { default_payment_method: null },
    ...given,
  };
  at.world.customers.set(customer.id, customer);
  announce(at, 'customer.created', customer);
  return customer;
}

/** Deletes a customer and cancels the customer's subscriptions. Source: "Delete a customer". */
export function deleteCustomer(at: Pick<Call, 'world' | 'now' | 'deliveries' | 'request'>, customer: Customer): void {
  for (const subscription of at.world.subscriptions.values())
    if (subscription.customer === customer.id && !isOver(subscription))
      cancel(at, subscription, 'cancellation_requested');
  at.world.customers.delete(customer.id);
  at.world.deleted.add(customer.id);
  announce(at, 'customer.deleted', customer);
}

const fates: Record<string, Fate> = {
  '4242424242424242': 'pays',
  '5555555555554444': 'pays',
  '4000000000000002': 'declined',
  '4000000000000341': 'kept-then-declined',
};

/** Numbers that a page offers. Source: "Test cards". */
export const testCards = Object.keys(fates);

/** Null for a card that is refused at once; else it is kept, and what it can do with it. */
export function makeCard(world: World, customer: string, number: string, now: number): PaymentMethod | null {
  const digits = number.replaceAll(/\D/g, '');
  const fate = fates[digits] ?? 'declined';
  if (fate === 'declined') return null;
  const card: PaymentMethod = {
    id: nextId(world, 'pm'),
    object: 'payment_method',
    created: now,
    metadata: {},
    type: 'card',
    customer,
    card: {
      brand: digits.startsWith('5') ? 'mastercard' : 'visa',
      last4: digits.slice(-4),
      exp_month: 12,
      exp_year: Temporal.Instant.fromEpochMilliseconds(now * 1000).toZonedDateTimeISO('UTC').year + 3,
    },
  };
  world.cards.set(card.id, card);
  world.fates.set(card.id, fate);
  return card;
}

function addressOf(form: Form): Address | null {
  const address = partOf(form, 'address');
  const [country, postalCode] = [textOf(address, 'country'), textOf(address, 'postal_code')];
  return country === null && postalCode === null ? null : { country, postal_code: postalCode };
}
