import type { At } from './announce.ts';
import { invalid, noSuch, noSuchReference } from './errors.ts';
import { boolOf, type Form, intOf, partOf, textOf, textsOf } from './read-form.ts';
import { type List, listOf, type World } from './world.ts';

/** One authenticated call of the API. */
export interface Call extends At {
  path: string[];
  form: Form;
}

export interface Route {
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  answer(call: Call): object;
}

/** The object that a path names. *Errors*: 404. */
export function find<T>(store: ReadonlyMap<string, T>, what: string, id = ''): T {
  const found = store.get(id);
  if (found === undefined) throw noSuch(what, id);
  return found;
}

/** The object that a parameter names. *Errors*: 400. */
export function refer<T>(store: ReadonlyMap<string, T>, what: string, id: string, param: string): T {
  const found = store.get(id);
  if (found === undefined) throw noSuchReference(what, id, param);
  return found;
}

/** Newest first, a page of at most a hundred. Source: "Pagination". */
export function listPage<T extends { id: string; created: number }>(
  { form }: Pick<Call, 'form'>,
  url: string,
  all: Iterable<T>,
): List<T> {
  const limit = intOf(form, 'limit') ?? 10;
  if (limit < 1 || limit > 100) throw invalid('This value must be between 1 and 100', 'limit');
  const created = partOf(form, 'created');
  const [gte, gt, lte, lt] = ['gte', 'gt', 'lte', 'lt'].map((name) => intOf(created, name));
  const exact = intOf(form, 'created');
  let list = [...all]
    .filter(
      (one) =>
        one.created >= (gte ?? 0) &&
        one.created > (gt ?? -1) &&
        one.created <= (lte ?? Infinity) &&
        one.created < (lt ?? Infinity) &&
        (exact === null || one.created === exact),
    )
    .toReversed();
  const after = textOf(form, 'starting_after');
  const before = textOf(form, 'ending_before');
  if (after !== null) list = list.slice(indexOf(list, after, 'starting_after') + 1);
  if (before !== null) list = list.slice(0, indexOf(list, before, 'ending_before')).slice(-limit);
  return { ...listOf(url, list.slice(0, limit)), has_more: list.length > limit };
}

function indexOf(list: { id: string }[], id: string, param: string): number {
  const index = list.findIndex((one) => one.id === id);
  if (index < 0) throw noSuchReference('object', id, param);
  return index;
}

/** Source: "Expanding responses": what is asked for in place of its id, four levels deep. */
export function expand(world: World, value: object, form: Form): object {
  const paths = textsOf(form, 'expand');
  if (paths.length === 0) return value;
  const copy = structuredClone(value);
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > 4) throw invalid('You cannot expand more than 4 levels of a property', 'expand');
    expandAt(world, copy as Record<string, unknown>, parts, path);
  }
  return copy;
}

function expandAt(world: World, place: Record<string, unknown>, [name = '', ...rest]: string[], path: string): void {
  if (!(name in place)) throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  const value = place[name];
  const brought = typeof value === 'string' ? structuredClone(byId(world, value)) : value;
  if (typeof value === 'string' && brought === undefined)
    throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  if (Array.isArray(brought)) {
    place[name] = brought.map((one: unknown) =>
      typeof one === 'string' ? (structuredClone(byId(world, one)) ?? one) : one,
    );
  } else place[name] = brought;
  if (rest.length === 0) return;
  for (const inner of [place[name]].flat())
    if (typeof inner === 'object' && inner !== null) expandAt(world, inner as Record<string, unknown>, rest, path);
}

function byId(world: World, id: string): object | undefined {
  const { customers, products, prices, coupons, promotionCodes, discounts, subscriptions, invoices, cards } = world;
  const stores: ReadonlyMap<string, object>[] = [
    customers,
    products,
    prices,
    coupons,
    promotionCodes,
    discounts,
    subscriptions,
    invoices,
    cards,
  ];
  return stores.map((store) => store.get(id)).find((one) => one !== undefined);
}

/** Whether a list's filter, if there is one, lets it through. */
export const isAsked = (form: Form, name: string, value: string | null) => (textOf(form, name) ?? value) === value;
export const isActiveAsked = (form: Form, active: boolean) => (boolOf(form, 'active') ?? active) === active;
