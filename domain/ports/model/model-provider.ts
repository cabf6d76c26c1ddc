import type { ModelReply, ModelRequest } from '#domain/ai/model.ts';

/** A language model, or decorators around one. Failures are values; it throws nothing. */
export interface ModelProvider {
  readonly model: string;
  /** Returns the factor for our estimates of its tokens, 0.8 to 2. */
  correction(): number;
  /** False when its server has refused tools: requests with some would fail. */
  takesTools(): boolean;
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}
