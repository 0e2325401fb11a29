/**
 * A cache for values that the caller's statement verifies. Least recently used values are dropped once the total weight
 * is too high.
 */
export class Recall<Value> {
  readonly #known = new Map<string, { value: Value; weight: number }>();
  readonly #mostWeight: number;
  #weight = 0;

  /** *Units*: characters of JSON; a few bytes of memory each. */
  constructor(mostWeight: number) {
    this.#mostWeight = mostWeight;
  }

  get(key: string): Value | undefined {
    const found = this.#known.get(key);
    if (found === undefined) return undefined;
    this.#known.delete(key);
    this.#known.set(key, found);
    return found.value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    const weight = key.length + JSON.stringify(value).length;
    if (weight > this.#mostWeight) return;
    this.#known.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#known.keys()) {
      if (this.#weight <= this.#mostWeight) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const found = this.#known.get(key);
    if (found === undefined) return;
    this.#known.delete(key);
    this.#weight -= found.weight;
  }
}
