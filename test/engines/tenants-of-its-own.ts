import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';

type Method = (tenant: string, ...rest: readonly unknown[]) => Promise<unknown>;

/**
 * The ports as those of an empty store: under the names that a test uses each has tenants of its own, whose names begin with `prefix` on
 * the server. `renamed` may change an answer, in which tenants have their whole names.
 */
export const tenantsOfItsOwn = (
  ports: TopologyPorts,
  prefix: string,
  renamed: (answer: unknown) => unknown = (answer) => answer,
): TopologyPorts => {
  const moved = (port: object): object =>
    Object.fromEntries(
      Object.entries(port as Readonly<Record<string, Method>>).map(([name, method]) => [
        name,
        async (tenant: string, ...rest: readonly unknown[]) => renamed(await method(prefix + tenant, ...rest)),
      ]),
    );
  const all = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, moved(port)]));
  const { history, ...others } = all as unknown as TopologyPorts;
  return { ...others, history: { ...history, forget: ports.history.forget } };
};
