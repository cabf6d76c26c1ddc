import type { Part } from '#domain/page.ts';
import type { EstateCiRow, EstateLinkRow } from '#domain/topology/estate-rows.ts';

/** Reads an estate from end to end, the oldest first, as many at once as hold nobody up. Takes the `nextCursor` of the part before. */
export interface EstateQueries {
  cis(tenant: string, cursor?: string): Promise<Part<EstateCiRow>>;
  /** Without those that AI has proposed and nobody has accepted. */
  links(tenant: string, cursor?: string): Promise<Part<EstateLinkRow>>;
}
