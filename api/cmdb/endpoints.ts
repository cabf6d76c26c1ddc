import type { AnyEndpoint } from '#api/endpoint.ts';
import { createCi } from './create-ci.ts';
import { getCi } from './get-ci.ts';
import { listCis } from './list-cis.ts';
import { createRelationship, listRelationships } from './relationships.ts';

export const cmdbEndpoints: readonly AnyEndpoint[] = [createCi, listCis, getCi, createRelationship, listRelationships];
