import { accounts } from '#features/accounts/feature.ts';
import type { Feature } from '#platform/feature.ts';

/** The map of the product, in dependency order: a feature may use the doors of those above it. */
export const features: readonly Feature[] = [accounts];
