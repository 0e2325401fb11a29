import type { TFunction } from 'i18next';
import type { Counts } from '#features/admin/overview/contract.ts';

/** People by plan; where billing is off they all have the one with everything in it. */
export const tiersOf = ({ billing, people }: Counts, t: TFunction): Named[] =>
  billing?.tiers.map(({ name, people: count }) => ({ name: name || t('adminOverview.noPlan'), people: count })) ?? [
    { name: t('adminOverview.onePlan'), people: people.all },
  ];

interface Named {
  name: string;
  people: number;
}
