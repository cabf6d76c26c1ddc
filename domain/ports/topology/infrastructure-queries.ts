import type { Part } from '#domain/page.ts';
import type { InfrastructureCiRow, InfrastructureLinkRow } from '#domain/topology/infrastructure-rows.ts';

/**
 * Reads an infrastructure from end to end, the oldest first, in parts that block no other request. Accepts the
 * `nextCursor` of the part before.
 */
export interface InfrastructureQueries {
  cis(tenant: string, cursor?: string): Promise<Part<InfrastructureCiRow>>;
  /** Returns links without AI proposals that are not accepted. */
  links(tenant: string, cursor?: string): Promise<Part<InfrastructureLinkRow>>;
}
