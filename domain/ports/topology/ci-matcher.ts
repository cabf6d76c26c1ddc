import type { Binding, BindingQuery } from '#domain/topology/binding.ts';
import type { MachineKeys, MatchedCis } from '#domain/topology/match.ts';

/** Finds the CIs that events and machines name. */
export interface CiMatcher {
  bind(tenant: string, queries: readonly BindingQuery[]): Promise<Binding[]>;
  /**
   * Variant of `bind` for callers that cannot wait: within 300 ms, and at once while the store is down. Null without an
   * answer of the store; such an answer may be older than a minute.
   */
  bindInTime(tenant: string, queries: readonly BindingQuery[]): Promise<(Binding | null)[]>;
  /**
   * CIs that are known by the texts, at most 10 per key, in the order of ids. `fqdn` finds names whole; `hostname` too, and where
   * none is, names that begin with it as their first label.
   */
  match(tenant: string, machines: readonly MachineKeys[]): Promise<MatchedCis[]>;
}
