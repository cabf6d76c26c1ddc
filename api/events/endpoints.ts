import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { addNote } from './add-note.ts';
import { analyzeCorrelations } from './analyze-correlations.ts';
import { bulkIngest } from './bulk-ingest.ts';
import { correlateEvent } from './correlate.ts';
import { correlateManually } from './correlate-manually.ts';
import { getCorrelations } from './correlations.ts';
import { createV1Event } from './create-v1.ts';
import { explainEvents } from './explain.ts';
import { eventAssignees } from './finding/assignees.ts';
import { eventFacets } from './finding/facets.ts';
import { eventHistogram } from './finding/histogram.ts';
import { statusOfMany } from './finding/status-of-many.ts';
import { getEvent } from './get.ts';
import { ingest } from './ingest.ts';
import { listEvents } from './list.ts';
import { setStatus } from './set-status.ts';
import { eventStats } from './stats.ts';
import { webhook } from './webhook.ts';

export const eventEndpoints: readonly AnyEndpoint[] = [
  ingest,
  bulkIngest,
  webhook,
  createV1Event,
  listEvents,
  eventStats,
  eventFacets,
  eventHistogram,
  eventAssignees,
  getEvent,
  setStatus,
  statusOfMany,
  addNote,
  getCorrelations,
  correlateEvent,
  correlateManually,
  analyzeCorrelations,
  explainEvents,
];
