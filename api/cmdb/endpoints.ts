import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { bulkCis } from './bulk-cis.ts';
import { listCiEvents } from './ci-events.ts';
import { listCiHistory } from './ci-history.ts';
import { showCiStates } from './ci-states.ts';
import { createCi } from './create-ci.ts';
import { createRelationship } from './create-relationship.ts';
import { deleteCi } from './delete-ci.ts';
import { deleteRelationship } from './delete-relationship.ts';
import { debugFindCiByIp, findCiByIp } from './find-by-ip.ts';
import { getCi } from './get-ci.ts';
import { listCis } from './list-cis.ts';
import { listRelationships } from './list-relationships.ts';
import { listTypes } from './list-types.ts';
import { getRelationship, updateRelationship } from './relationship-endpoints.ts';
import { updateCi } from './update-ci.ts';

export const cmdbEndpoints: readonly AnyEndpoint[] = [
  createCi,
  listCis,
  getCi,
  updateCi,
  deleteCi,
  listCiHistory,
  listCiEvents,
  listTypes,
  bulkCis,
  showCiStates,
  createRelationship,
  listRelationships,
  getRelationship,
  updateRelationship,
  deleteRelationship,
];

export const addressEndpoints: readonly AnyEndpoint[] = [findCiByIp, debugFindCiByIp];
