import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { addresses } from './addresses.ts';

const opens = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [host, port] = address.split(':');
    const socket = connect({ host: host!, port: Number(port) }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

test('Kafka takes connections', async () => {
  expect(await Promise.all(addresses().brokers.map(opens))).toEqual(addresses().brokers.map(() => true));
});

test('the registry speaks the interface of Confluent', async () => {
  const reply = await fetch(`${addresses().registry}/subjects`);
  expect(Array.isArray(await reply.json())).toBe(true);
});

test('Elasticsearch is healthy', async () => {
  const reply = await fetch(`${addresses().elasticsearch}/_cluster/health`);
  expect(await reply.json()).toMatchObject({ status: expect.stringMatching(/green|yellow/) });
});

test('Neo4j speaks Bolt', async () => {
  expect(await opens(new URL(addresses().neo4j).host)).toBe(true);
});
