import { describe, expect, test } from '@jest/globals';
import type { Severity } from '#domain/event/event.ts';
import type { Dependence } from '#domain/services/spread.ts';
import { healthOf, lossesOf, type OpenEvents, roleWeight } from './health.ts';
import type { Component } from './service.ts';

const component = (ciId: string, role = 'web', group?: string, required = 1): Component => ({
  ciId,
  role,
  redundancy: group === undefined ? null : { group, required },
});
const open = (worst: Readonly<Record<string, Severity>>): OpenEvents =>
  new Map(Object.entries(worst).map(([ci, severity]) => [ci, { [severity]: 1 }]));
const needs = (source: string, target: string, attributes: Record<string, unknown> = {}): Dependence => ({
  source,
  target,
  attributes,
});

describe('a service of one component', () => {
  test.each<[string, Record<string, Severity>, string, number]>([
    ['nothing open', {}, 'healthy', 100],
    ['an info', { a: 'info' }, 'healthy', 100],
    ['a warning', { a: 'warning' }, 'healthy', 92],
    ['a minor', { a: 'minor' }, 'degraded', 80],
    ['a major', { a: 'major' }, 'degraded', 55],
    ['a critical', { a: 'critical' }, 'critical', 0],
    ['something on another CI', { z: 'critical' }, 'healthy', 100],
  ])('%s', (_name, events, status, score) => {
    expect(healthOf([component('a')], lossesOf(open(events), []))).toEqual({ status, score });
  });
});

test('without components nothing is known', () => {
  expect(healthOf([], lossesOf(open({}), []))).toEqual({ status: 'unknown', score: 100 });
});

test('the worst event of a CI counts', () => {
  const events: OpenEvents = new Map([['a', { warning: 40, major: 1 }]]);
  expect(healthOf([component('a')], lossesOf(events, [])).score).toBe(55);
});

test('one dead component of ten is worse than a tenth', () => {
  const ten = Array.from({ length: 10 }, (_, i) => component(`c${i}`));
  expect(healthOf(ten, lossesOf(open({ c3: 'critical' }), []))).toEqual({ status: 'critical', score: 18 });
});

test.each([
  ['web frontend', 1],
  ['database', 1],
  ['read_replica', 0.5],
  ['Monitoring-agent', 0.3],
])('the role %s weighs %d', (role, weight) => {
  expect(roleWeight(role)).toBe(weight);
});

test('a fault in a part of little weight takes little', () => {
  const parts = [component('a'), component('b', 'backup')];
  expect(healthOf(parts, lossesOf(open({ b: 'critical' }), []))).toEqual({ status: 'degraded', score: 73 });
});

describe('redundant components', () => {
  const pair = [component('a', 'web', 'web'), component('b', 'web', 'web')];
  test.each<[string, Record<string, Severity>, number]>([
    ['one of two is down', { a: 'critical' }, 100],
    ['the better one counts', { a: 'critical', b: 'minor' }, 80],
    ['both are down', { a: 'critical', b: 'critical' }, 0],
  ])('%s', (_name, events, score) => {
    expect(healthOf(pair, lossesOf(open(events), [])).score).toBe(score);
  });
});

describe('faults upstream', () => {
  const chain = [needs('a', 'b'), needs('b', 'c'), needs('c', 'd'), needs('d', 'e')];
  test.each<[string, Record<string, Severity>, number]>([
    ['one hop', { b: 'critical' }, 10],
    ['two hops', { c: 'critical' }, 19],
    ['three hops', { d: 'critical' }, 27],
    ['four hops are too far', { e: 'critical' }, 100],
  ])('%s', (_name, events, score) => {
    expect(healthOf([component('a')], lossesOf(open(events), chain)).score).toBe(score);
  });

  const twoWays = [needs('a', 'x', { redundancy_group: 'uplink' }), needs('a', 'y', { redundancy_group: 'uplink' })];
  test('a surviving way is no loss', () => {
    expect(healthOf([component('a')], lossesOf(open({ x: 'critical' }), twoWays)).score).toBe(100);
    expect(healthOf([component('a')], lossesOf(open({ x: 'critical', y: 'critical' }), twoWays)).score).toBe(10);
  });

  test('a cycle ends', () => {
    const cycle = [needs('a', 'b'), needs('b', 'a')];
    expect(healthOf([component('a')], lossesOf(open({ b: 'major' }), cycle)).score).toBe(60);
  });
});
