import type { ModelFailure, Purpose, TokenUsage } from '#domain/ai/model.ts';

/** Texts to be turned into vectors. */
export interface EmbedRequest {
  readonly purpose: Purpose;
  /** At most 16, none empty; as they leave. */
  readonly texts: readonly string[];
  /** No attempt begins or goes on after this time, epoch ms. */
  readonly until: number;
}

type EmbedReply =
  | {
      /** In the order of the texts, all of one length, each of length 1. */
      readonly vectors: readonly (readonly number[])[];
      readonly usage: TokenUsage;
    }
  | { readonly failure: ModelFailure };

/** A model that turns texts into vectors: near ones mean alike. Failures are values; it throws nothing. */
export interface Embedder {
  readonly model: string;
  embed(request: EmbedRequest, signal: AbortSignal): Promise<EmbedReply>;
}
