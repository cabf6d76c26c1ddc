import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Scripts and styles from this server only; Swagger UI sets style attributes. Plain HTTP works: no upgrade is forced. */
const protect = helmet({
  // Only a server that is reached by https may ask for it: `hsts` of the server's options.
  strictTransportSecurity: false,
  contentSecurityPolicy: {
    directives: {
      'style-src': ["'self'", "'unsafe-inline'"],
      'font-src': ["'self'"],
      'upgrade-insecure-requests': null,
    },
  },
});

/** Notes headers as they are spelled. */
class RecordingResponse extends ServerResponse {
  readonly headers: Record<string, string> = {};
  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers[name] = String(value);
    return this;
  }
}

/** Helmet sets the same headers on every response, so it is asked once. */
function collect(): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new RecordingResponse(request);
  protect(request, response, () => {});
  return response.headers;
}

export const securityHeaders: Readonly<Record<string, string>> = Object.freeze({
  ...collect(),
  'Cache-Control': 'no-store',
});
