import { describe, expect, test } from '@jest/globals';
import { firstSource, given, type Source, VARIABLES } from './source.ts';

const four = Object.fromEntries(VARIABLES.map((name) => [name, `the ${name}`]));
const source = (what: string) => async (): Promise<Source> => ({ what, addresses: {}, stop: async () => undefined });
const missing = (reason: string) => async (): Promise<Source> => {
  throw new Error(reason);
};

describe('where the engines of a test run come from', () => {
  test('all four addresses of the environment are taken', () => {
    expect(given({ ...four, OTHER: '' })?.addresses).toMatchObject(four);
  });

  test('no address means looking further', () => {
    expect(given({ KAFKA_BROKERS: '' })).toBeNull();
  });

  test('some addresses are refused, naming the others', () => {
    expect(() => given({ ...four, NEO4J_URL: undefined })).toThrow(/not NEO4J_URL\.$/);
  });

  test('the first that works is used', async () => {
    const found = await firstSource({ a: missing('no'), b: source('second'), c: source('third') });
    expect(found.what).toBe('second');
  });

  test('none is a failure with all reasons', async () => {
    await expect(firstSource({ Maven: missing('no JDK'), Docker: missing('no daemon') })).rejects.toThrow(
      /no engines to test with.*\nMaven: no JDK\nDocker: no daemon$/,
    );
  });
});
