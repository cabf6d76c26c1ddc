import type { ModelFailure, Purpose, TokenUsage } from '#domain/ai/model.ts';

/** Texts to be turned into vectors. */
export interface EmbedRequest {
  readonly purpose: Purpose;
  /** Texts to send, at most 16, none empty. */
  readonly texts: readonly string[];
  /** No attempt begins or continues after this time, epoch ms. */
  readonly until: number;
}

type EmbedReply =
  | {
      /** Vectors in the order of the texts, all of one dimension, each of length 1. */
      readonly vectors: readonly (readonly number[])[];
      readonly usage: TokenUsage;
    }
  | { readonly failure: ModelFailure };

/** A model that turns texts into vectors: near ones mean alike. Failures are values; it throws nothing. */
export interface Embedder {
  readonly model: string;
  embed(request: EmbedRequest, signal: AbortSignal): Promise<EmbedReply>;
}
