import { test } from '@jest/globals';
import { endpoints } from '#whole';

/**
 * Returns true if the product has an endpoint of this id: a table of all endpoints omits those of a removed feature.
 */
export const isThere = (endpoint: string): boolean => endpoints.some(({ id }) => id === endpoint);

/** A test of the core together with the feature of an endpoint: skipped without it. */
export const testWith = (endpoint: string) => (isThere(endpoint) ? test : test.skip);
