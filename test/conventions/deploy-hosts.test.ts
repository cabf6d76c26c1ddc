import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { pathOf } from '#api/http/routing/routes.ts';
import { opsEndpoints } from '#api/ops/ops.ts';
import { Variables } from '#infra/config-variables.ts';
import {
  assignments,
  COMMAND,
  deployedText,
  imageSettings,
  PACKAGE,
  STOP_SECONDS,
  said,
  stages,
  unknownSettings,
  valuesOf,
} from './deployed.ts';
import { documentText } from './tables.ts';

describe('systemd/faultline.service', () => {
  const lines = [...deployedText('systemd/faultline.service').matchAll(/^(\w+)=(.*)$/gm)];
  const all = (name: string): string[] => lines.filter(([, key]) => key === name).map(([, , value]) => value!);
  const one = (name: string): string => {
    expect([name, all(name).length]).toEqual([name, 1]);
    return all(name)[0]!;
  };
  const settings = Object.fromEntries(all('Environment').map((pair) => pair.split('=') as [string, string]));
  const file = Object.fromEntries(assignments(deployedText('systemd/faultline.env')));

  test('starts as npm start does', () => {
    expect(one('ExecStart').split(' ')).toEqual([`/usr/bin/${COMMAND[0]}`, ...COMMAND.slice(1)]);
    expect(documentText('docs/deploy.md')).toContain(`--prefix ${one('WorkingDirectory')}\n`);
  });

  test('its environment and the file for it are understood', () => {
    expect(Object.keys(file).length).toBeGreaterThan(3);
    expect(unknownSettings([...Object.keys(settings), ...Object.keys(file)])).toEqual([]);
    const defaults = Variables.parse({});
    expect(valuesOf({ ...settings, ...file })).toMatchObject({ HOST: defaults.HOST, PORT: defaults.PORT });
    expect(one('EnvironmentFile')).toBe('-/etc/faultline/faultline.env');
  });

  test('keeps its data in its own directory and takes its secrets as credentials', () => {
    expect(settings.FAULTLINE_DATA).toBe(`%S/${one('StateDirectory')}`);
    const credentials = all('LoadCredential').map((given) => `%d/${given.split(':')[0]}`);
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, path]) => path)).toEqual(credentials);
  });

  test('comes back after a failure, and has time for a stop', () => {
    expect(one('Restart')).toBe('on-failure');
    expect(Number(one('TimeoutStopSec'))).toBeGreaterThan(STOP_SECONDS);
  });

  test('is shut in, as far as a program that compiles while it runs can be', () => {
    const yes = [
      'DynamicUser',
      'NoNewPrivileges',
      'PrivateDevices',
      'PrivateTmp',
      'ProtectHome',
      'ProtectKernelTunables',
    ];
    expect(yes.map((name) => [name, ...all(name)])).toEqual(yes.map((name) => [name, 'yes']));
    expect([one('ProtectSystem'), one('CapabilityBoundingSet')]).toEqual(['strict', '']);
    expect(all('MemoryDenyWriteExecute')).toEqual([]);
  });
});

interface Named {
  readonly name: string;
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}
interface Container extends Named {
  readonly image: string;
  readonly ports: readonly (Named & { readonly containerPort: number })[];
  readonly env: readonly (Named & { readonly value: string })[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly volumeMounts: readonly (Named & { readonly mountPath: string })[];
  readonly securityContext: Readonly<Record<string, unknown>>;
}
interface Pod {
  readonly metadata: { readonly labels: unknown };
  readonly spec: {
    readonly enableServiceLinks: boolean;
    readonly terminationGracePeriodSeconds: number;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly containers: readonly Container[];
    readonly volumes: readonly (Named & { readonly secret: { readonly secretName: string } })[];
  };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: Named;
  readonly stringData: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: { readonly matchLabels?: unknown };
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
    readonly replicas: number;
    readonly serviceName: string;
    readonly template: Pod;
    readonly volumeClaimTemplates: readonly { readonly metadata: Named }[];
  };
}

describe('kubernetes/faultline.yaml', () => {
  const manifests = parseAllDocuments(deployedText('kubernetes/faultline.yaml')).map((one) => one.toJS() as Manifest);
  const [secret, service, set] = manifests as [Manifest, Manifest, Manifest];
  const { template, volumeClaimTemplates, replicas, serviceName, selector } = set.spec;
  const pod = template.spec;
  const container = pod.containers[0]!;
  const settings = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));

  test('is a secret, a service and one process on one volume', () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(['Secret', 'Service', 'StatefulSet']);
    expect([replicas, pod.containers.length]).toEqual([1, 1]);
    expect(serviceName).toBe(service.metadata.name);
    expect([selector.matchLabels, service.spec.selector]).toEqual([template.metadata.labels, template.metadata.labels]);
    const { PORT } = imageSettings();
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(PORT) }]);
    expect(service.spec.ports).toEqual([{ name: 'http', port: Number(PORT), targetPort: 'http' }]);
  });

  test('runs the image of this version as its user', () => {
    expect(container.image).toBe(`faultline:${PACKAGE.version}`);
    const [user, group] = said(stages().at(-1)!, 'USER').split(':').map(Number);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: group,
      fsGroup: group,
    });
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  });

  test('its environment is understood, and Kubernetes adds nothing to it', () => {
    expect(unknownSettings(Object.keys(settings))).toEqual([]);
    const names = ['FAULTLINE_PUBLIC_URL', 'FAULTLINE_TRUST_PROXY', 'FAULTLINE_LIMIT_SCALE'];
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(names));
    expect(valuesOf(settings)).toMatchObject({ FAULTLINE_MODE: 'embedded' });
    expect(pod.enableServiceLinks).toBe(false);
  });

  test('keeps data and secrets where they are mounted', () => {
    const [data, secrets] = container.volumeMounts as [Container['volumeMounts'][0], Container['volumeMounts'][0]];
    expect(volumeClaimTemplates.map(({ metadata }) => metadata.name)).toEqual([data.name]);
    expect(settings.FAULTLINE_DATA).toMatch(new RegExp(`^${data.mountPath}/\\w+$`));
    expect(pod.volumes).toEqual([{ name: secrets.name, secret: { secretName: secret.metadata.name } }]);
    const files = Object.keys(secret.stringData).map((key) => `${secrets.mountPath}/${key}`);
    expect(files).toEqual([settings.FAULTLINE_ADMIN_PASSWORD_FILE]);
  });

  test('its password would be refused, so that nobody keeps it', () => {
    const given = { FAULTLINE_ADMIN_PASSWORD: secret.stringData['admin-password'] };
    expect(Variables.safeParse(given).error?.issues.map(({ path }) => path)).toEqual([['FAULTLINE_ADMIN_PASSWORD']]);
  });

  test('is asked where the server answers', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const asked = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
    expect(asked).toEqual(['/readyz', '/livez', '/readyz']);
    const answered = opsEndpoints.flatMap(({ mounts }) => mounts.map(pathOf));
    expect(asked.filter((path) => !answered.includes(path))).toEqual([]);
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.port)).toEqual(
      Array(3).fill('http'),
    );
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(300);
  });

  test('has time for a stop', () => {
    const { FAULTLINE_STOP_DELAY } = valuesOf(settings);
    expect(FAULTLINE_STOP_DELAY).toBeGreaterThan(0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(FAULTLINE_STOP_DELAY + STOP_SECONDS);
  });
});
