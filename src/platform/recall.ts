/**
 * What was read before, by key, for whoever asks the database in the same breath whether it still stands. What was not
 * asked for the longest is forgotten once all of it weighs too much.
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
