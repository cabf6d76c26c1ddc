import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { askEndpoint } from './ask.ts';

export const reportEndpoints: readonly AnyEndpoint[] = [askEndpoint];
