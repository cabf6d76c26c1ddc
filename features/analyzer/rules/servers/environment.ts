import { firstItem } from '#domain/assert.ts';

/** Words for the environment that a machine belongs to. */
const ENVIRONMENTS: readonly (readonly [environment: string, words: RegExp])[] = [
  ['production', /^(?:p|prd|prod|production|live)$/],
  [
    'test',
    /^(?:t|tst|test|testing|qa|q|uat|int|integration|stg|stage|staging|preprod|dev|devel|development|d|sandbox|sbx)$/,
  ],
];
/** Single letters are words of attributes, hardly of names. */
const SHORTEST_IN_NAME = 3;

const environmentIn = (parts: readonly string[]): string | null =>
  ENVIRONMENTS.find(([, words]) => parts.some((part) => words.test(part)))?.[0] ?? null;

const partsOf = (text: string): string[] => text.toLowerCase().split(/[^a-z]+/);

/** `production`, or `test` for all other environments; null when unknown. `said`: value of the CMDB. */
export const environmentOf = (hostname: string, said: string | null): string | null =>
  (said === null ? null : environmentIn(partsOf(said))) ??
  environmentIn(partsOf(firstItem(hostname.split('.'))).filter((part) => part.length >= SHORTEST_IN_NAME));
