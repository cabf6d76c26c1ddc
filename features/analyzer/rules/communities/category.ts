import type { Tier } from '#features/analyzer/rules/catalogue/roles.ts';

/** Number of members per tier. */
export type TierCounts = Readonly<Record<Tier, number>>;

export const CATEGORIES = [
  'web application',
  'web front end',
  'application',
  'data platform',
  'infrastructure',
  'unclassified',
] as const;
export type Category = (typeof CATEGORIES)[number];

export const tierCounts = (tiers: readonly (Tier | 'unclassified')[]): TierCounts => {
  const count = (tier: Tier): number => tiers.filter((one) => one === tier).length;
  return {
    frontend: count('frontend'),
    application: count('application'),
    data: count('data'),
    infrastructure: count('infrastructure'),
  };
};

/** The kind of service, by its tiers. */
export function categoryOf({ frontend, application, data, infrastructure }: TierCounts): Category {
  if (frontend > 0) return application + data > 0 ? 'web application' : 'web front end';
  if (application > 0) return 'application';
  if (data > 0) return 'data platform';
  return infrastructure > 0 ? 'infrastructure' : 'unclassified';
}
