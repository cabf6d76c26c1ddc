import { z } from 'zod';
import { type Context, endpoint, on, type Presented } from '#api/surfaces/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import {
  CONTENT_CODINGS,
  type ConsoleFile,
  type ConsoleFiles,
  type ContentCoding,
} from '#domain/ports/console/console-files.ts';
import { consolePage, consolePolicy } from './console-page.ts';

const HTML = 'text/html; charset=utf-8';
const NONCE_CHARACTERS = 24;
const FOREVER = 'public, max-age=31536000, immutable';

const filesOf = ({ service }: Context): ConsoleFiles => {
  if (service.console === null) throw new Fault('not-found', 'The console was not built: run npm ci in the checkout');
  return service.console;
};

/** Keys of the console in its own addresses. */
const Query = z.record(z.string().max(100), z.string().max(4_000));

const present = (path: string, context: Context): Presented => {
  const nonce = context.ports.ids.secret(NONCE_CHARACTERS);
  return {
    headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': consolePolicy(nonce) },
    raw: { type: HTML, content: consolePage(filesOf(context).page, path, nonce) },
    body: undefined,
  };
};

/** Depths of page addresses; the console itself decides which of them exist. */
const DEPTHS = ['/ui', '/ui/{page}', '/ui/{page}/{item}', '/ui/{page}/{item}/{part}'];

const page = endpoint<string, string>({
  id: 'ops.console',
  summary: 'Get the console',
  tag: 'Operations',
  permission: null,
  limit: 'none',
  alsoFaults: ['not-found'],
  mounts: DEPTHS.map((path) =>
    on.ops.get(path, {
      query: Query,
      reply: z.string(),
      replyType: HTML,
      replyHeaders: ['Content-Security-Policy'],
      read: (request) => request.path,
      present,
    }),
  ),
  handle: async (path) => path,
});

interface AssetRequest {
  readonly file: string;
  readonly accepts: string;
}

/** `br;q=0` means: not that one. */
const accepts = (header: string, coding: ContentCoding): boolean =>
  header.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';', 2);
    return name.trim() === coding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight);
  });

const presentFile = ([{ type, content, coded }, header]: readonly [ConsoleFile, string]): Presented => {
  const headers = { 'Cache-Control': FOREVER, Vary: 'Accept-Encoding' };
  for (const coding of CONTENT_CODINGS) {
    const smaller = coded[coding];
    if (smaller === undefined || !accepts(header, coding)) continue;
    return { headers: { ...headers, 'Content-Encoding': coding }, raw: { type, content: smaller }, body: undefined };
  }
  return { headers, raw: { type, content }, body: undefined };
};

const asset = endpoint<AssetRequest, readonly [ConsoleFile, string]>({
  id: 'ops.console.asset',
  summary: 'Get a console asset',
  tag: 'Operations',
  permission: null,
  limit: 'none',
  mounts: on.ops.get('/ui/assets/{file}', {
    params: z.object({ file: z.string().max(200) }),
    reply: z.string(),
    replyType: 'application/octet-stream',
    replyHeaders: ['Content-Encoding', 'Vary'],
    read: ({ params, headers }) => ({ file: params.file, accepts: headers['accept-encoding'] ?? '' }),
    present: presentFile,
  }),
  async handle({ file, accepts: header }, context) {
    const found = filesOf(context).assets.get(file);
    if (found === undefined) throw new Fault('not-found', `Console file ${file} not found`);
    return [found, header];
  },
});

export const consoleEndpoints = [page, asset];
