import { V1Error } from '#schemas/http/errors.ts';
import { pageHeaders, pagination } from './pages.ts';
import type { Surface } from './surface.ts';
import { v1Error, v1Faults } from './v1-error.ts';

/** /v1: bodies are bare; lists are `{ data, pagination }` with paging headers. */
export const v1: Surface = {
  name: 'v1',
  prefix: '/v1',
  faults: v1Faults,
  success: (body, page) => (page === undefined ? body : { data: body, pagination: pagination(page) }),
  error: v1Error,
  errorSchema: V1Error,
  pageHeaders,
};
