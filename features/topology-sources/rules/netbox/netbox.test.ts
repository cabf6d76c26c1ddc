import { describe, expect, test } from '@jest/globals';
import { isInUse } from './fields.ts';
import { PowerPaths } from './power.ts';
import { networkRank } from './roles.ts';

const port = (device: number, type: string | null, ...ends: readonly number[]) => ({
  device: { id: device },
  connected_endpoints: type === null ? null : ends.map((id) => ({ id })),
  connected_endpoints_type: type,
});
const outlet = (device: number, inlet: number | null) => ({
  device: { id: device },
  power_port: inlet === null ? null : { id: inlet },
});
const OUTLET = 'dcim.poweroutlet';

describe('power', () => {
  const supplyOf = (device: number, paths: PowerPaths) => {
    const found = [...paths.supplies()].find((one) => one.device === device);
    return found && { feeds: [...found.feeds], units: [...found.units], isIncomplete: found.isIncomplete };
  };

  test('is traced through several units, and through all inlets of an outlet without one', () => {
    const paths = new PowerPaths();
    paths.addPort(1, port(1, OUTLET, 21));
    paths.addOutlet(21, outlet(2, null));
    paths.addPort(2, port(2, OUTLET, 31));
    paths.addPort(3, port(2, 'dcim.powerfeed', 8));
    paths.addOutlet(31, outlet(3, 4));
    paths.addPort(4, port(3, 'dcim.powerfeed', 9));
    expect(supplyOf(1, paths)).toEqual({ feeds: [9, 8], units: [2], isIncomplete: false });
    expect(supplyOf(2, paths)).toEqual({ feeds: [9, 8], units: [3], isIncomplete: false });
  });

  test('ends at a loop, and at a unit without a feed', () => {
    const paths = new PowerPaths();
    paths.addPort(1, port(1, OUTLET, 21));
    paths.addPort(2, port(1, 'dcim.powerfeed', 9));
    paths.addOutlet(21, outlet(2, 3));
    paths.addPort(3, port(2, OUTLET, 21));
    expect(supplyOf(1, paths)).toEqual({ feeds: [9], units: [2], isIncomplete: true });
  });
});

test.each([
  ['border-router', 'core-switch'],
  ['core-switch', 'firewall'],
  ['edge-router', 'firewall'],
  ['firewall', 'spine'],
  ['spine', 'leaf-switch'],
  ['access-switch', 'server'],
])('%s is upstream of %s', (upstream, downstream) => {
  expect(networkRank(upstream, [])).toBeLessThan(networkRank(downstream, []));
  expect(networkRank(upstream, [downstream])).toBeGreaterThan(networkRank(downstream, [downstream]));
});

test.each([
  ['active', true],
  ['failed', true],
  ['our-own', true],
  ['planned', false],
  ['offline', false],
  ['decommissioning', false],
])('a status %s is in use: %s', (value, expected) => {
  expect(isInUse({ status: { value, label: value } })).toBe(expected);
});
