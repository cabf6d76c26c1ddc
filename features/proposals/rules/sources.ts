/** Evidence of relationships: connections that scans have seen, and CIs that fail one after the other. */
export const RELATIONSHIP_SOURCES = ['network', 'incidents'] as const;
export type RelationshipSource = (typeof RELATIONSHIP_SOURCES)[number];
