/** The pipeline's topics. All are keyed by tenant and have the same number of partitions. */
export const eventsIncoming = 'events.incoming';
export const eventsSaved = 'events.saved';
export const eventsEnriched = 'events.enriched';
export const correlationHits = 'correlation.hits';
export const correlationChanges = 'correlation.changes';
export const topologyChanged = 'topology.changed';
export const eventsReceipts = 'events.receipts';
export const eventsRejected = 'events.rejected';
