import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  COMPOSE,
  composed,
  DEPLOY,
  imageSettings,
  interpolated,
  PACKAGE,
  STOP_SECONDS,
  unknownSettings,
  valuesOf,
} from './deployed.ts';
import { ROOT } from './planted.ts';
import { documentText, quoted, rowsUnder } from './tables.ts';

const inPlace = (environment: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolated(value)]));

describe.each(COMPOSE)('%s', (file) => {
  const { services, volumes, secrets } = composed(file);
  const all = Object.entries(services);
  const ours = all.filter(([, { build }]) => build !== undefined);

  test.each(all)(
    '%s: a pinned image that is not of Bitnami, and a health check',
    (_name, { image, build, healthcheck }) => {
      expect(image).toMatch(/:v?\d+\.\d+[\w.-]*$/);
      expect(image).not.toMatch(/bitnami/);
      if (build === undefined) expect(healthcheck?.test[0]).toBe('CMD');
      else expect(documentText(build.dockerfile)).toMatch(/^HEALTHCHECK [\s\S]*\/livez/m);
    },
  );

  test.each(all)('%s: what it depends on, mounts and publishes exists and is for this machine', (_name, service) => {
    const mounts = (service.volumes ?? []).map((mount) => mount.split(':')[0]!);
    const missing = mounts.filter((from) =>
      from.startsWith('.') ? !existsSync(join(ROOT, DEPLOY, from)) : !(from in volumes),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(service.depends_on ?? {}).filter((name) => !(name in services))).toEqual([]);
    expect((service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect((service.secrets ?? []).filter((name) => !(name in secrets))).toEqual([]);
  });

  test.each(ours)(
    '%s: its environment is understood, and what it is given reaches it',
    (name, { environment, ports, volumes: mounts }) => {
      expect(unknownSettings(Object.keys(environment!))).toEqual([]);
      const isDistributed = file === 'compose.yaml';
      expect(valuesOf(inPlace(environment!))).toMatchObject({
        FAULTLINE_MODE: isDistributed ? 'distributed' : 'embedded',
        FAULTLINE_ROLE: isDistributed ? name : 'all',
      });
      // Each variable of the configuration passes on the one of its name.
      const passedOn = Object.entries(environment!).filter(([, value]) => /^\$\{FAULTLINE_\w+:-\}$/.test(value));
      expect(passedOn.filter(([variable, value]) => value !== `\${${variable}:-}`)).toEqual([]);
      const { PORT, FAULTLINE_DATA } = imageSettings();
      for (const published of ports ?? []) expect(published.split(':').at(-1)).toBe(PORT);
      if (!isDistributed) expect(mounts!.map((mount) => mount.split(':')[1])).toEqual([FAULTLINE_DATA]);
    },
  );

  test('what takes requests is told its address, its proxies and its limits', () => {
    const takesRequests = ours.filter(([, { ports }]) => ports !== undefined);
    expect(takesRequests.length).toBe(1);
    const names = ['FAULTLINE_PUBLIC_URL', 'FAULTLINE_TRUST_PROXY', 'FAULTLINE_LIMIT_SCALE'];
    expect(Object.keys(takesRequests[0]![1].environment!)).toEqual(expect.arrayContaining(names));
  });

  test('a file with a secret is mounted where the variable says', () => {
    for (const [, { environment, secrets: given }] of ours) {
      const files = Object.entries(environment!).filter(([name]) => name.endsWith('_FILE'));
      const mounted = (given ?? []).map((name) => `/run/secrets/${name}`);
      expect(files.map(([, value]) => interpolated(value, '/somewhere'))).toEqual(mounted);
      expect(files.map(([, value]) => interpolated(value))).toEqual(mounted.map(() => ''));
    }
  });

  test.each(ours)('%s: the image of this version, with time for a stop', (_name, service) => {
    expect(service.image).toBe(`faultline:${PACKAGE.version}`);
    expect(Number.parseInt(service.stop_grace_period!, 10)).toBeGreaterThan(STOP_SECONDS);
  });

  test('docs/deploy.md has every variable that is taken from the environment', () => {
    const mode = file === 'compose.yaml' ? 'distributed' : 'embedded';
    const documented = rowsUnder('docs/deploy.md', 'variable')
      .filter(([, where]) => where === 'both' || where === mode)
      .flatMap(([names]) => quoted(names));
    const taken = [...JSON.stringify(composed(file)).matchAll(/\$\{(\w+):/g)].map(([, name]) => name);
    expect([...new Set(taken)].sort()).toEqual(documented.sort());
  });
});
