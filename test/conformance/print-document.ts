/** npm run --silent openapi > openapi.json: the OpenAPI document of the service, as `/openapi.json` answers it. */

import { openapiDocument } from '#api/http/openapi/document.ts';
import { routes } from '#api/http/routing/routes.ts';
import { endpoints } from '#whole';

process.stdout.write(
  `${JSON.stringify(openapiDocument(routes(endpoints).all, { version: '0.0.0', baseUrl: '' }), null, 2)}\n`,
);
