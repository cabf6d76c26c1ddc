import { expect, test } from '@jest/globals';
import {
  connectedSigns,
  FOUND_FROM,
  matchedSigns,
  type SeenServer,
  scoreOf,
  searchCriteriaOf,
} from './search-criteria.ts';

const NOTHING = { processes: [], software: [], ports: [], hosts: [] };
const server = (more: Partial<SeenServer>): SeenServer => ({
  names: ['db-1'],
  software: [],
  processes: [],
  ports: [],
  ...more,
});
const runs = (name: string, port: number | null = null) =>
  server({ processes: [{ name, port }], ports: port ? [port] : [] });

test.each<[string, Parameters<typeof searchCriteriaOf>[0], SeenServer, number, readonly string[]]>([
  [
    'a process that listens where its software does',
    { ...NOTHING, processes: ['postgres'] },
    runs('/usr/bin/postgres: writer', 5432),
    0.9,
    ['runs /usr/bin/postgres: writer on port 5432'],
  ],
  [
    'a process that listens on a port that is looked for: the port counts once',
    { ...NOTHING, processes: ['shopd'], ports: [9999] },
    runs('shopd', 9999),
    0.9,
    ['runs shopd on port 9999'],
  ],
  ['a process that listens elsewhere', { ...NOTHING, processes: ['shopd'] }, runs('shopd', 9999), 0.8, ['runs shopd']],
  [
    'a process that was seen to connect',
    { ...NOTHING, processes: ['shopd'] },
    runs('SHOPD.exe'),
    0.8,
    ['runs SHOPD.exe'],
  ],
  [
    'software under another name, with its version',
    { ...NOTHING, software: ['postgres'] },
    server({ software: ['PostgreSQL 14.2'] }),
    0.7,
    ['has PostgreSQL 14.2 installed'],
  ],
  [
    'software that runs and is not listed',
    { ...NOTHING, software: ['PostgreSQL'] },
    runs('postgres', 5432),
    0.7,
    ['runs postgres, which is PostgreSQL'],
  ],
  ['a listener', { ...NOTHING, ports: [5432] }, runs('postgres', 5432), 0.6, ['listens on port 5432']],
  ['an open port', { ...NOTHING, ports: [5432] }, server({ ports: [22, 5432] }), 0.6, ['listens on port 5432']],
  ['its name', { ...NOTHING, hosts: ['DB-*'] }, server({}), 0.5, ['its name matches db-*']],
  ['a name alike', { ...NOTHING, hosts: ['db'] }, server({}), 0, []],
  ['software whose name begins alike', { ...NOTHING, software: ['Post'] }, server({ software: ['PostgreSQL'] }), 0, []],
  [
    'all of it',
    { processes: ['postgres'], software: ['PostgreSQL'], ports: [5432, 22], hosts: ['db-*'] },
    server({ software: ['PostgreSQL'], processes: [{ name: 'postgres', port: 5432 }], ports: [5432, 22] }),
    0.994,
    ['runs postgres on port 5432', 'has PostgreSQL installed', 'listens on port 22', 'its name matches db-*'],
  ],
])('%s', (_, asked, seen, score, texts) => {
  const signs = matchedSigns(searchCriteriaOf(asked), seen);
  expect([scoreOf(signs), signs.map(({ text }) => text)]).toEqual([score, texts]);
});

test('one connection finds no machine, two do, and no more than three count', () => {
  const scores = [0, 1, 2, 3, 9].map((count) =>
    scoreOf(connectedSigns(Array.from({ length: count }, (_, i) => `s${i}`))),
  );
  expect(scores).toEqual([0, 0.3, 0.51, 0.657, 0.657]);
  expect(scores.map((score) => score >= FOUND_FROM)).toEqual([false, false, true, true, true]);
});
