import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findHubs } from './hubs.ts';
import type { Infrastructure, InfrastructureLink } from './infrastructure.ts';
import { nameWords } from './name-words.ts';
import { split } from './split.ts';

/** Runs it to its end at once. */
const servicesOf = (estate: Infrastructure) => split(estate, findHubs(estate), nameWords(estate.cis));

/** CIs by name and type, joined by name. */
function estateOf(
  cis: Readonly<Record<string, string>>,
  links: readonly (readonly [string, string, string?, number?])[],
): Infrastructure {
  const names = Object.keys(cis);
  return {
    cis: names.map((name) => ({ id: name, name, type: cis[name]! })),
    links: links.map(([from, to, type = 'depends_on', port = null]) => ({
      source: names.indexOf(from),
      target: names.indexOf(to),
      type,
      port,
    })),
  };
}
/** Services as lists of names. */
const namesIn = (estate: Infrastructure): string[][] => {
  const { serviceOf, services } = servicesOf(estate);
  return Array.from({ length: services }, (_, n) =>
    estate.cis.flatMap(({ name }, ci) => (serviceOf[ci] === n ? [name] : [])),
  );
};
const servers = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'server']));

describe('Services are what is connected', () => {
  test('and a CI that is connected to nothing is in none', () => {
    const estate = estateOf(servers('a-web', 'a-db', 'alone'), [['a-web', 'a-db']]);
    expect(namesIn(estate)).toEqual([['a-web', 'a-db']]);
  });

  test.each([
    ['a hypervisor', 'hypervisor', undefined, undefined],
    ['a switch', 'switch', 'network_connection', undefined],
    ['storage', 'storage', 'uses', undefined],
    ['a host', 'server', 'runs_on', undefined],
    ['what is DNS', 'server', 'network_connection', 53],
    ['what monitors', 'server', 'network_connection', 10_050],
  ])('but not over %s', (_, type, relationship, port) => {
    const estate = estateOf({ ...servers('a-web', 'a-db', 'b-web', 'b-db'), shared: type }, [
      ['a-web', 'a-db'],
      ['b-web', 'b-db'],
      ...['a-web', 'a-db', 'b-web', 'b-db'].map((name) => [name, 'shared', relationship, port] as const),
    ] as never);
    expect(namesIn(estate)).toEqual([
      ['a-web', 'a-db'],
      ['b-web', 'b-db'],
    ]);
  });

  test.each([80, 443])('and not over a front door (port %i) unless the names share a word', (port) => {
    const across = estateOf(servers('pay-app', 'pay-db', 'shop-web', 'shop-db'), [
      ['pay-app', 'pay-db'],
      ['shop-web', 'shop-db'],
      ['pay-app', 'shop-web', 'network_connection', port],
    ]);
    expect(namesIn(across)).toEqual([
      ['pay-app', 'pay-db'],
      ['shop-web', 'shop-db'],
    ]);
    const within = estateOf(servers('shop-lb', 'shop-web'), [['shop-lb', 'shop-web', 'network_connection', port]]);
    expect(namesIn(within)).toEqual([['shop-lb', 'shop-web']]);
  });

  test('and not over a CI with very many neighbours', () => {
    const pairs = Array.from(
      { length: 11 },
      (_, n) => [`x${'abcdefghijk'[n]}-web`, `x${'abcdefghijk'[n]}-db`] as const,
    );
    const names = pairs.flat();
    const links = [...pairs, ...names.map((name) => ['jump', name] as const)];
    const some = names.slice(0, 20);
    const few = estateOf(
      servers('jump', ...some),
      links.filter((link) => link.every((name) => name === 'jump' || some.includes(name))),
    );
    expect(findHubs(few)).toEqual([]);
    const over = estateOf(servers('jump', ...names), links);
    expect(findHubs(over)).toEqual([{ ci: 0, why: 'many neighbours', neighbours: 22 }]);
    expect(namesIn(over)).toHaveLength(11);
  });
});

test('a service of many CIs stays whole, and two that share a database are told apart', () => {
  const make = (word: string, count: number) => {
    const [web, app] = [
      Array.from({ length: count }, (_, n) => `${word}-web-${n}`),
      Array.from({ length: count }, (_, n) => `${word}-app-${n}`),
    ];
    const links = web.flatMap((from) => app.map((to) => [from, to, 'depends_on', 8080] as const));
    return { web, app, links, all: [...web, ...app] };
  };
  const [shop, bank] = [make('shop', 5), make('bank', 5)];
  const whole = estateOf(servers(...shop.all), shop.links);
  expect(namesIn(whole)).toEqual([shop.all]);
  const store = (name: string) => [name, 'shop-db', 'database_connection', 5432] as const;
  const both = estateOf(servers(...shop.all, 'shop-db', ...bank.all), [
    ...shop.links,
    ...bank.links,
    ...[...shop.app, ...bank.app.slice(0, 2)].map(store),
  ]);
  expect(namesIn(both)).toEqual([[...shop.all, 'shop-db'], bank.all]);
});

test('parts of a service that share its name stay together', () => {
  const part = (n: number, word: string) => ['web', 'app', 'db'].map((tier) => `${word}-${tier}-${n}`);
  const estate = (words: readonly string[]) => {
    const parts = words.map((word, n) => part(n, word));
    const links = parts.flatMap((names, n) => [
      ...names.flatMap((from, i) => names.slice(i + 1).map((to) => [from, to, 'uses', 8080] as const)),
      ...(n === 0 ? [] : [[parts[n - 1]![1]!, names[1]!, 'uses', 8080] as const]),
    ]);
    return estateOf(servers(...parts.flat()), links);
  };
  expect(namesIn(estate(['erp', 'erp', 'erp', 'erp']))).toHaveLength(1);
  expect(namesIn(estate(['erp', 'crm', 'hrm', 'mes']))).toHaveLength(4);
  expect(namesIn(estate(['srv', 'srv', 'srv', 'srv']))).toHaveLength(4);
});

describe('A few CIs', () => {
  /** Two services of four and three CIs; one reads the other's database. */
  const make = (word: string) => {
    const names = ['shop-web', 'shop-app', 'shop-app-2', 'shop-db', `${word}-web`, `${word}-app`, `${word}-db`];
    const [web, app, app2, db, otherWeb, otherApp, otherDb] = names as [string, ...string[]] & Record<number, string>;
    return estateOf(servers(...names), [
      ...[
        [web, app],
        [web, app2],
        [app, db],
        [app2, db],
      ].map(([from, to]) => [from!, to!, 'depends_on', 8080] as const),
      ...[
        [otherWeb, otherApp],
        [otherApp, otherDb],
      ].map(([from, to]) => [from!, to!, 'depends_on', 8080] as const),
      [otherApp!, db!, 'database_connection', 5432],
    ]);
  };
  test('are parted where names tell them apart', () => {
    expect(namesIn(make('bank')).map((names) => names.length)).toEqual([4, 3]);
  });
  test('stay whole where they do not', () => {
    expect(namesIn(make('srv')).map((names) => names.length)).toEqual([7]);
  });
});

describe('Whatever the estate', () => {
  const word = fc.constantFrom('shop', 'bank', 'crm', 'srv', 'web');
  const ci = fc.record({
    name: fc.tuple(word, word, fc.nat(9)).map((parts) => parts.join('-')),
    type: fc.constantFrom('server', 'database', 'switch'),
  });
  const estates = fc
    .array(ci, { minLength: 2, maxLength: 60 })
    .chain((cis) => {
      const place = fc.nat(cis.length - 1);
      const link = fc.record({
        source: place,
        target: place,
        type: fc.constantFrom('depends_on', 'runs_on', 'uses'),
        port: fc.constantFrom(null, 53, 443, 5432, 8080),
      });
      return fc.record({ cis: fc.constant(cis), links: fc.array(link, { maxLength: 200 }) });
    })
    .map(({ cis, links }): Infrastructure => ({ cis: cis.map((one, n) => ({ ...one, id: `ci-${n}` })), links }));

  test('it is split in the same way each time, into connected services of two CIs and more, without hubs', () => {
    fc.assert(
      fc.property(estates, (estate) => {
        const { serviceOf, services } = servicesOf(estate);
        expect(servicesOf(estate)).toEqual({ ...servicesOf(estate), serviceOf, services });
        const members = Array.from({ length: services }, (_, n) =>
          estate.cis.flatMap((_ci, at) => (serviceOf[at] === n ? [at] : [])),
        );
        const sizes = members.map(({ length }) => length);
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        expect(sizes.every((size) => size >= 2)).toBe(true);
        for (const { ci: hub } of findHubs(estate)) expect(serviceOf[hub]).toBe(-1);
        for (const own of members) expect(reached(own, estate.links)).toBe(own.length);
      }),
    );
  });
});

/** How many CIs of a service can be reached within it from the first. */
function reached(own: readonly number[], links: readonly InfrastructureLink[]): number {
  const seen = new Set([own[0]!]);
  for (const at of seen)
    for (const { source, target } of links)
      for (const [from, to] of [
        [source, target],
        [target, source],
      ] as const)
        if (from === at && own.includes(to)) seen.add(to);
  return seen.size;
}
