import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Arrival, Rates } from '#domain/correlation/records.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { KNOWN_PATTERNS } from '#domain/event/identity/known-patterns.ts';
import { arrivalText, ratesText, toArrival, toRates } from './enriched-table.ts';

const count = fc.nat(1_000);
const stored = fc.record<Omit<Arrival, 'tenant' | 'position' | 'eventId' | 'time' | 'chain'>>({
  severity: fc.constantFrom(...SEVERITIES),
  signature: fc.string(),
  identity: fc.string(),
  system: fc.string(),
  services: fc.array(fc.string()),
  ciId: fc.option(fc.string()),
  hasRelationships: fc.boolean(),
  above3: count,
  below3: count,
  suppressed: fc.boolean(),
  usual: fc.boolean(),
  complaint: fc.record({
    kind: fc.constantFrom('down', 'unknown'),
    known: fc.option(fc.constantFrom(...KNOWN_PATTERNS)),
  }),
  spreads: fc.boolean(),
  habit: fc.double({ min: 0, max: 30, noNaN: true, noDefaultInfinity: true }).map((n) => n || 0),
  rebound: fc.boolean(),
});
const rate = fc.constantFrom(0, 1e-6, 0.25);
const rates = fc.record<Rates>({
  quiet: fc.boolean(),
  tenant: rate,
  signature: rate,
  ci: rate,
  service: fc.constantFrom({}, { shop: 3e-6 }),
});

test('arrivals and rates come back as they were', () => {
  fc.assert(
    fc.property(stored, rates, (arrival, known) => {
      const rest = { tenant: 't', position: 1, eventId: 'e', time: 2, chain: [] };
      expect(toArrival(arrivalText({ ...arrival, ...rest }), rest)).toEqual({ ...arrival, ...rest });
      expect(toRates(ratesText(known))).toEqual(known);
    }),
  );
});

test('a quiet tenant needs no rates', () => {
  expect(ratesText({ quiet: true, tenant: 0, signature: 0, ci: 0, service: {} })).toBe('');
});
