import { describe, expect, test } from '@jest/globals';
import { firstSource, given, type Source, VARIABLES } from './source.ts';

const four = Object.fromEntries(VARIABLES.map((name, index) => [name, `http://127.0.0.1:${index + 1}/api`]));
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

  test.each([
    ['KAFKA_BROKERS', '127.0.0.1:9092,kafka.example:9092', false],
    ['KAFKA_BROKERS', 'localhost:9092, [::1]:9093', true],
    ['ELASTICSEARCH_URL', 'https://localhost.example', false],
    ['ELASTICSEARCH_URL', 'http://localhost', true],
    ['NEO4J_URL', 'bolt://graph@10.0.0.1:7687', false],
    ['NEO4J_URL', 'bolt://[::1]:7687', true],
  ])('%s %s: tests empty engines of this machine only', (name, address, taken) => {
    const open = () => given({ ...four, [name]: address });
    if (taken) expect(open()?.addresses).toMatchObject({ [name]: address });
    else expect(open).toThrow(new RegExp(`${name} leads to another machine`));
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
