import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { page } from './page.ts';

/** Addresses are relative, so that the page works below a sub-path of a proxy, too. */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Faultline: interface</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<p><a href="openapi.json">openapi.json</a> · <a href="asyncapi.json">asyncapi.json</a> (the topics of distributed mode)</p>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** A file of its own, because the content security policy allows no inline script; no validator is called. */
const start = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;

const ofSwaggerUi = (name: string): Promise<Uint8Array> =>
  readFile(join(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), name));

const asset = (name: string, type: string) =>
  page({
    id: `ops.docs.${name}`,
    path: `/docs/${name}`,
    summary: `${name} of the reading page`,
    type,
    content: () => ofSwaggerUi(name),
  });

/** The document to read and try, by Swagger UI; everything comes from this server. */
export const docs = [
  page({
    id: 'ops.docs',
    path: '/docs',
    summary: 'This interface to read and try',
    type: 'text/html; charset=utf-8',
    content: async () => html,
  }),
  page({
    id: 'ops.docs.start.js',
    path: '/docs/start.js',
    summary: 'start.js of the reading page',
    type: 'text/javascript; charset=utf-8',
    content: async () => start,
  }),
  asset('swagger-ui.css', 'text/css; charset=utf-8'),
  asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  asset('favicon-32x32.png', 'image/png'),
];
