import type { Fact } from '#domain/ai/evidence.ts';
import type { Findings } from '#features/ai/rules/findings.ts';

/** A server as evidence: as the CI that it is, or as the caller describes one that the CMDB does not have. */
export interface NamedServer {
  readonly id: string;
  readonly hostname: string;
  /** Null: no CI of the tenant has the id. */
  readonly ci: { readonly name: string; readonly type: string } | null;
}

/** Adds a server to the evidence; its alias, or null when there is no more room. */
export function serverItem(
  findings: Findings,
  { id, hostname, ci }: NamedServer,
  facts: readonly Fact[],
): string | null {
  const named: Fact = { name: 'hostname', value: hostname, isFreeText: true };
  if (ci !== null) return findings.ci({ id, name: ci.name, type: ci.type }, [named, ...facts]);
  return findings.add({ kind: 'record', id, label: hostname, facts: [named, ...facts] });
}

/** The caller's words about the service, for a model. */
export function descriptionItem(findings: Findings, description: string | null): string | null {
  if (description === null || description.trim() === '') return null;
  const facts: Fact[] = [{ name: 'text', value: description, isFreeText: true }];
  return findings.add({ kind: 'record', id: 'service-description', label: 'Service description', facts });
}
