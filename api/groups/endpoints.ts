import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { getGroup } from './get-group.ts';
import { listGroups } from './list-groups.ts';

export const groupEndpoints: readonly AnyEndpoint[] = [listGroups, getGroup];
