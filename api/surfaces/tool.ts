import type { z } from 'zod';
import type { Permission } from '#domain/access/permissions.ts';
import type { AnyEndpoint } from './endpoint.ts';

/** A request as clients of HTTP send it, without a path. */
export interface ToolRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
}
/** The body of a reply without its envelope; `total` of a list. */
export interface ToolReply {
  readonly body: unknown;
  readonly total: number | null;
}

/** Requests of a tool on an endpoint: the same rules, permissions and limits as over HTTP. */
export interface ToolContext {
  /** Asks an endpoint as the caller. Throws the Faults of the endpoint, and `forbidden`. */
  ask(endpoint: AnyEndpoint, request: ToolRequest): Promise<ToolReply>;
  /** Returns the ID of the CI with this ID or exact name. Throws Fault `invalid` for none, and for several. */
  ciNamed(text: string): Promise<string>;
  readonly receivedAt: number;
}

/** One thing that programs, such as assistants with a language model, can look up or do. */
interface Tool<In, Out> {
  readonly name: string;
  readonly title: string;
  /** Written by us: never a text that was sent by others. */
  readonly description: string;
  readonly input: z.ZodType<In>;
  /** Selects the output: fields that it does not name are left out. */
  readonly output: z.ZodType<Out>;
  /** The endpoint whose permission and limit class count for it. */
  readonly endpoint: AnyEndpoint;
  readonly permission: Permission;
  readonly isWriting: boolean;
  readonly run: (context: ToolContext, input: In) => Promise<unknown>;
  /** The same for users and models to read; the first sentence is the answer. */
  readonly tell: (output: Out) => string;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of differing input and output; each is sound by itself.
export type AnyTool = Tool<any, any>;

interface ToolParts<I extends z.ZodType, O extends z.ZodType>
  extends Pick<AnyTool, 'name' | 'title' | 'description' | 'endpoint'> {
  readonly input: I;
  readonly output: O;
  readonly isWriting?: true;
  readonly run: (context: ToolContext, input: z.output<I>) => Promise<unknown>;
  readonly tell: (output: z.output<O>) => string;
}

/** Declares a tool. Throws for an endpoint that needs no permission. */
export const tool = <I extends z.ZodType, O extends z.ZodType>(parts: ToolParts<I, O>): AnyTool => {
  const { permission } = parts.endpoint;
  if (permission === null) throw new Error(`${parts.name} is based on an endpoint without permission`);
  return { isWriting: false, ...parts, permission };
};

/** A text of others within a sentence: in quotes and on one line, so that it is seen where it ends. */
export const quoted = (text: string): string => `"${text.replaceAll(/\s+/g, ' ').replaceAll('"', "'").trim()}"`;
