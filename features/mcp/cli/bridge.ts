import { CliError, type Client, saidBy } from '#cli/client/client.ts';

/* Programs on a desktop speak to a server of their own over its input and output; this one asks a Faultline elsewhere. */

const PATH = '/mcp';
/** Codes of JSON-RPC: no JSON at all, and a fault of the server or on the way to it. */
const UNREADABLE = -32_700;
const FAILED = -32_603;

interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const errorOf = (id: RpcMessage['id'] | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

const messageIn = (line: string): RpcMessage | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

/** Newer clients send their version in each message; over HTTP, headers must equal the body. */
const headersOf = ({ method, params }: RpcMessage, agreed: string | null): Record<string, string> => {
  const named = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (typeof named !== 'string') return agreed === null ? {} : { 'mcp-protocol-version': agreed };
  const subject = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': named,
    ...(method !== undefined && { 'mcp-method': method }),
    ...(subject !== undefined && { 'mcp-name': subject }),
  };
};

const isRpc = (body: unknown): body is { readonly result?: { readonly protocolVersion?: string } } =>
  typeof body === 'object' && body !== null && 'jsonrpc' in body;

/** Answers lines of JSON-RPC; null where none is expected. */
export const openBridge = (client: Pick<Client, 'exchange'>): ((line: string) => Promise<string | null>) => {
  let agreed: string | null = null;
  return async (line) => {
    const message = messageIn(line);
    if (message === null) return errorOf(null, UNREADABLE, 'Parse error: expected one JSON-RPC message per line');
    const { id, method } = message;
    try {
      const { status, body } = await client.exchange(PATH, message, headersOf(message, agreed));
      if (id === undefined) return null;
      if (!isRpc(body)) return errorOf(id, FAILED, `${status}: ${saidBy(body) || 'no details'}`);
      if (method === 'initialize') agreed = body.result?.protocolVersion ?? null;
      return JSON.stringify(body);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      return id === undefined ? null : errorOf(id, FAILED, error.message);
    }
  };
};
